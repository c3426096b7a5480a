// The floor of functions: a bare Deno server behind a bare Node proxy, over kept connections on a Unix socket.
// `node functions-floor.ts DENO ENTRY SOCKET`; prints the proxy's port.
import { Agent, createServer, request as httpRequest } from 'node:http'
import { startDeno } from './functions-deno.ts'

const [deno = '', entry = '', socketPath = ''] = process.argv.slice(2)
const child = await startDeno({ deno, entry, socket: socketPath })
process.once('SIGTERM', () => {
  child.kill('SIGKILL')
  process.exit(0)
})
const agent = new Agent({ keepAlive: true })
const server = createServer((request, response) => {
  const { method, url: path, headers } = request
  const outgoing = httpRequest({ socketPath, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(response)
  })
  request.pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`)
})
