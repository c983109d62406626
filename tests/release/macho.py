"""What a program for macOS says of itself: its headers, and whether its signature is that of its bytes."""

import hashlib
import struct

MAGIC_64, EXECUTABLE, PIE = 0xFEEDFACF, 2, 0x200000
CPUS = {0x01000007: "amd64", 0x0100000C: "arm64"}
LOAD_DYLIB, CODE_SIGNATURE, SYMBOLS, BUILD_VERSION = 0xC, 0x1D, 0x2, 0x32
MACOS = 1
SUPER_BLOB, CODE_DIRECTORY, AD_HOC, SHA256 = 0xFADE0CC0, 0xFADE0C02, 0x2, 2


class Program:
    def __init__(self, content):
        self.content = content
        magic, cpu, _, kind, n_commands, _, self.flags, _ = struct.unpack_from("<8I", content)
        assert (magic, kind) == (MAGIC_64, EXECUTABLE), (hex(magic), kind)
        self.arch = CPUS[cpu]
        self.commands, at = [], 32
        for _ in range(n_commands):
            command, size = struct.unpack_from("<2I", content, at)
            self.commands.append((command & 0x7FFFFFFF, content[at : at + size]))
            at += size

    def every(self, wanted):
        return [body for command, body in self.commands if command == wanted]

    def libraries(self):
        return [body[struct.unpack_from("<I", body, 8)[0] :].rstrip(b"\0").decode() for body in self.every(LOAD_DYLIB)]

    def min_version(self):
        """(major, minor) of macOS"""
        [body] = self.every(BUILD_VERSION)
        platform, version = struct.unpack_from("<2I", body, 8)
        assert platform == MACOS, platform
        return version >> 16, version >> 8 & 0xFF

    def local_symbols(self):
        """Returns the number of names that the file neither exports nor imports."""
        [body] = self.every(SYMBOLS)
        at, count = struct.unpack_from("<2I", body, 8)
        kinds = [self.content[at + 16 * i + 4] for i in range(count)]
        return sum(1 for kind in kinds if not kind & 1)

    def signature(self):
        """(where the signed bytes end, the flags, bytes of a page, the hash of each page)"""
        [body] = self.every(CODE_SIGNATURE)
        start, size = struct.unpack_from("<2I", body, 8)
        blob = self.content[start : start + size]
        magic, _, count = struct.unpack_from(">3I", blob)
        assert magic == SUPER_BLOB, hex(magic)
        places = [struct.unpack_from(">2I", blob, 12 + 8 * i)[1] for i in range(count)]
        [directory] = [blob[at:] for at in places if struct.unpack_from(">I", blob, at)[0] == CODE_DIRECTORY]
        flags, hashes, _, _, n_pages, limit = struct.unpack_from(">6I", directory, 12)
        hash_bytes, kind, _, page = struct.unpack_from(">4B", directory, 36)
        assert (hash_bytes, kind) == (32, SHA256), (hash_bytes, kind)
        assert limit == start and n_pages == -(-limit >> page), (limit, start, n_pages)
        return limit, flags, 1 << page, [directory[hashes + 32 * i : hashes + 32 * (i + 1)] for i in range(n_pages)]

    def is_signed(self):
        """As the kernel asks before it runs the program: each page has the hash that the signature names."""
        if not self.every(CODE_SIGNATURE):
            return False
        limit, flags, page, hashes = self.signature()
        found = [hashlib.sha256(self.content[at : min(at + page, limit)]).digest() for at in range(0, limit, page)]
        return bool(flags & AD_HOC) and found == hashes
