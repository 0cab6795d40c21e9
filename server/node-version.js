// Run before everything else by the npm scripts: on an older Node the first TypeScript file would fail with an obscure error. Plain JavaScript,
// because it must run there too.
const needed = [24, 2]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(`Vostro needs Node.js ${needed.join('.')} or newer, but this is Node.js ${process.versions.node}.`)
  process.exit(1)
}
