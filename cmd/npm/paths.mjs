// The paths of this system in the form of Unix, which is the only one that WASI knows.

const slashed = (text) => text.replaceAll("\\", "/");

// C: is /c, and \\server\share is /server/share: a drive or a share is a directory below the root.
function directoryOf(root) {
  const name = slashed(root).replace(/^\/+|\/+$/g, "");
  return `/${/^[A-Za-z]:$/.test(name) ? name[0].toLowerCase() : name}`;
}

// Of the arguments of Windows only what is surely a path is written in the other form; after the = of a flag, too.
const isPath = (text) => /^[A-Za-z]:[\\/]/.test(text) || /^([A-Za-z]:)?[^:="*?<>|]*\\/.test(text);

// path: node:path of the system. {args, preopens, pwd}: the arguments, the directories of WASI, and the working directory.
export function unixPaths(path, cwd, args) {
  if (path.sep === "/") return { args, preopens: { "/": "/" }, pwd: cwd };
  const preopens = {};
  const convert = (text) => {
    if (!path.isAbsolute(text) && !/^[A-Za-z]:/.test(text)) return slashed(text);
    const whole = path.resolve(cwd, text);
    const { root } = path.parse(whole);
    const directory = directoryOf(root);
    preopens[directory] = root;
    return slashed(`${directory}/${path.relative(root, whole)}`);
  };
  const argument = (text) => {
    const [, flag, value] = /^(--?[a-z-]+=)?(.*)$/s.exec(text);
    return (flag ?? "") + (isPath(value) ? convert(value) : value);
  };
  return { pwd: convert(cwd), args: args.map(argument), preopens };
}
