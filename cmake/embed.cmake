# Text files as C: cmake -DOUT=x.c -DFOLDER=dir -P embed.cmake. Every *.csv of FOLDER becomes
# {name without .csv, its bytes}.
file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*.csv)
list(SORT files)
set(arrays "")
set(list "")
set(i 0)
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "\\.csv$" "" name ${file})
  string(APPEND arrays "static const char text${i}[] = {${bytes}0};\n")
  string(APPEND list "    {\"${name}\", text${i}},\n")
  math(EXPR i "${i} + 1")
endforeach()
file(WRITE ${OUT} "#include \"reproduce/reference.h\"\n\n${arrays}\n"
  "const reference_file reference_files[] = {\n${list}    {0, 0}};\n")
