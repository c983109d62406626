#include "typecheck/regexp/unicode_names.h"

#include <string.h>

/*
 * In canonical form and byte order. A script of two words ("Old_Italic") is
 * missing on purpose: Go looks it up without the underscore and finds nothing.
 */
static const char *const names[] = {
    "Adlam",
    "Ahom",
    "Any",
    "Arabic",
    "Armenian",
    "Ascii",
    "Assigned",
    "Avestan",
    "Balinese",
    "Bamum",
    "Batak",
    "Bengali",
    "Bhaiksuki",
    "Bopomofo",
    "Brahmi",
    "Braille",
    "Buginese",
    "Buhid",
    "C",
    "Carian",
    "Casedletter",
    "Cc",
    "Cf",
    "Chakma",
    "Cham",
    "Cherokee",
    "Chorasmian",
    "Closepunctuation",
    "Cn",
    "Cntrl",
    "Co",
    "Combiningmark",
    "Common",
    "Connectorpunctuation",
    "Control",
    "Coptic",
    "Cs",
    "Cuneiform",
    "Currencysymbol",
    "Cypriot",
    "Cyrillic",
    "Dashpunctuation",
    "Decimalnumber",
    "Deseret",
    "Devanagari",
    "Digit",
    "Dogra",
    "Duployan",
    "Elbasan",
    "Elymaic",
    "Enclosingmark",
    "Ethiopic",
    "Finalpunctuation",
    "Format",
    "Georgian",
    "Glagolitic",
    "Gothic",
    "Grantha",
    "Greek",
    "Gujarati",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hanunoo",
    "Hatran",
    "Hebrew",
    "Hiragana",
    "Inherited",
    "Initialpunctuation",
    "Javanese",
    "Kaithi",
    "Kannada",
    "Katakana",
    "Kawi",
    "Kharoshthi",
    "Khmer",
    "Khojki",
    "Khudawadi",
    "L",
    "Lao",
    "Latin",
    "Lc",
    "Lepcha",
    "Letter",
    "Letternumber",
    "Limbu",
    "Lineseparator",
    "Lisu",
    "Ll",
    "Lm",
    "Lo",
    "Lowercaseletter",
    "Lt",
    "Lu",
    "Lycian",
    "Lydian",
    "M",
    "Mahajani",
    "Makasar",
    "Malayalam",
    "Mandaic",
    "Manichaean",
    "Marchen",
    "Mark",
    "Mathsymbol",
    "Mc",
    "Me",
    "Medefaidrin",
    "Miao",
    "Mn",
    "Modi",
    "Modifierletter",
    "Modifiersymbol",
    "Mongolian",
    "Mro",
    "Multani",
    "Myanmar",
    "N",
    "Nabataean",
    "Nandinagari",
    "Nd",
    "Newa",
    "Nko",
    "Nl",
    "No",
    "Nonspacingmark",
    "Number",
    "Nushu",
    "Ogham",
    "Openpunctuation",
    "Oriya",
    "Osage",
    "Osmanya",
    "Other",
    "Otherletter",
    "Othernumber",
    "Otherpunctuation",
    "Othersymbol",
    "P",
    "Palmyrene",
    "Paragraphseparator",
    "Pc",
    "Pd",
    "Pe",
    "Pf",
    "Phoenician",
    "Pi",
    "Po",
    "Privateuse",
    "Ps",
    "Punct",
    "Punctuation",
    "Rejang",
    "Runic",
    "S",
    "Samaritan",
    "Saurashtra",
    "Sc",
    "Separator",
    "Sharada",
    "Shavian",
    "Siddham",
    "Sinhala",
    "Sk",
    "Sm",
    "So",
    "Sogdian",
    "Soyombo",
    "Spaceseparator",
    "Spacingmark",
    "Sundanese",
    "Surrogate",
    "Symbol",
    "Syriac",
    "Tagalog",
    "Tagbanwa",
    "Takri",
    "Tamil",
    "Tangsa",
    "Tangut",
    "Telugu",
    "Thaana",
    "Thai",
    "Tibetan",
    "Tifinagh",
    "Tirhuta",
    "Titlecaseletter",
    "Toto",
    "Ugaritic",
    "Unassigned",
    "Uppercaseletter",
    "Vai",
    "Vithkuqi",
    "Wancho",
    "Yezidi",
    "Yi",
    "Z",
    "Zl",
    "Zp",
    "Zs",
};

#define NAME_MAX_BYTES 31

/* An upper-case letter first, lower-case ones then, no separators. False when no name is that long. */
static bool canonical(struct str name, char out[NAME_MAX_BYTES + 1])
{
    size_t len = 0;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        if (c == '_' || c == '-' || c == ' ')
            continue;
        if (c == '\0' || len == NAME_MAX_BYTES)
            return false;
        if (len == 0 && c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        else if (len > 0 && c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        out[len++] = c;
    }
    out[len] = '\0';
    return true;
}

bool unicode_names_has(struct str name)
{
    char wanted[NAME_MAX_BYTES + 1];
    if (!canonical(name, wanted))
        return false;
    size_t low = 0, high = sizeof names / sizeof *names;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(wanted, names[middle]);
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}
