import { WebSocketServer } from 'ws'

/**
 * The least that fans out: what one socket sends goes to all others, the bytes as they came. No topics, no tokens.
 * Started as `realtime-floor.ts`; prints its port.
 */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false }, () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`)
})
server.on('connection', (socket) => {
  socket.on('message', (data, binary) => {
    for (const other of server.clients) if (other !== socket) other.send(data, { binary })
  })
})
