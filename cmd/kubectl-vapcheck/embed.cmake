# Writes OUT, the NAME.c of HEADER, with the bytes of each file that GLOB means: an array NAME of rows of the struct ROW,
# {what REGEX matches of the file's name, its bytes, their number}, in natural order, and NAME_count.
file(GLOB files ${GLOB})
list(SORT files COMPARE NATURAL)
set(arrays "")
set(rows "")
foreach(file ${files})
  string(REGEX REPLACE "${REGEX}" "\\1" key ${file})
  string(MAKE_C_IDENTIFIER "of_${key}" array)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const unsigned char ${array}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${key}\", ${array}, sizeof ${array}},\n")
endforeach()
file(WRITE ${OUT} "#include \"${HEADER}\"\n\n${arrays}
const struct ${ROW} ${NAME}[] = {
${rows}};
const size_t ${NAME}_count = sizeof ${NAME} / sizeof *${NAME};
")
