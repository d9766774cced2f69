# Before a package is made: files as Debian has them. CPack passes the folder of what is installed.
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(doc ${share}/doc/bristle)

# completion where Debian's zsh looks for that of packages
if(EXISTS ${share}/zsh/site-functions)
  file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
endif()

file(RENAME ${doc}/LICENSE ${doc}/copyright)
file(CREATE_LINK copyright ${doc}/LICENSE SYMBOLIC) # where README.md links to
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # that of SOURCE_DATE_EPOCH, if it is set
file(WRITE ${doc}/changelog "bristle (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md lists the changes.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -n9 ${doc}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
# not those of the user's umask
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_DIRECTORY}/usr COMMAND_ERROR_IS_FATAL ANY)
