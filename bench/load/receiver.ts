// A webhook receiver in its own process: raw sockets and a prepared response, because a full HTTP server would need as much
// CPU as the service it measures. Counts deliveries and reports the count on request.

import { type AddressInfo, createServer } from 'node:net'

let count = 0
const answer = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')

const server = createServer((socket) => {
  let text = ''
  socket.setNoDelay().setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('data', (chunk: string) => {
    text += chunk
    for (let head = text.indexOf('\r\n\r\n'); head !== -1; head = text.indexOf('\r\n\r\n')) {
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0)
      if (text.length < head + 4 + length) return
      text = text.slice(head + 4 + length)
      count++
      socket.write(answer)
    }
  })
})

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ count }))
process.on('disconnect', () => process.exit(0))
