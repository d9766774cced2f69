# Before a package is made: completion for zsh where Debian's zsh looks for that of packages.
set(zsh ${CPACK_TEMPORARY_DIRECTORY}/usr/share/zsh)
if(EXISTS ${zsh}/site-functions)
  file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
endif()
