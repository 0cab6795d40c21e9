// A process that fails while it reads: the file says how.
process.on('message', ({ bytes }: { bytes: Uint8Array }) => {
  const said = Buffer.from(bytes).toString('latin1', 0, 40)
  if (said.includes('crash')) process.abort()
  if (said.includes('silent')) return
  const bug = said.includes('bug') ? 'TypeError: a bug' : undefined
  process.send?.(
    bug === undefined
      ? { ok: true, result: String(process.pid), rss_bytes: said.includes('greedy') ? 1e12 : 0 }
      : { ok: false, bug, rss_bytes: 0 },
  )
})
