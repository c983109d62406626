# Writes OUT, the bundles.c of bundles.h, with the bytes of each DIRECTORY/vVERSION.gz.
file(GLOB files ${DIRECTORY}/v*.gz)
list(SORT files COMPARE NATURAL)
set(arrays "")
set(rows "")
foreach(file ${files})
  string(REGEX REPLACE "^.*/v([0-9.]+)\\.gz$" "\\1" version ${file})
  string(MAKE_C_IDENTIFIER "v${version}" name)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const unsigned char ${name}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${version}\", ${name}, sizeof ${name}},\n")
endforeach()
file(WRITE ${OUT} "#include \"cmd/kubectl-vapcheck/input/bundles.h\"\n\n${arrays}
const struct bundle bundles[] = {
${rows}};
const size_t bundles_count = sizeof bundles / sizeof *bundles;
")
