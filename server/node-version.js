// The npm scripts load this file first: an older Node would fail on the first TypeScript file with an error that does not say why. It is
// plain JavaScript, because it must run there too.
const needed = [24, 2]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(`Vostro needs Node.js ${needed.join('.')} or newer, but this is Node.js ${process.versions.node}.`)
  process.exit(1)
}
