import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { request } from 'undici'
import { joinSockets } from '../http/websocket.ts'
import type { Debugged } from '../worker/worker.ts'
import { isOwnHost, parsePlace, renderTarget } from './targets.ts'

/** The port that debuggers know, whatever processes there are. */
export interface Inspector {
  close(): Promise<void>
}

const headersTimeout = 1000

/**
 * Serves the lists and the WebSockets of the inspectors of all processes on one port of 127.0.0.1.
 *
 * @param debugged the processes that may be debugged, the newest first
 * @throws where the port is taken
 */
export async function openInspector(port: number, debugged: () => readonly Debugged[]): Promise<Inspector> {
  const server = createServer((incoming, response) => {
    answer(incoming, response, debugged()).catch(() => response.destroy())
  })
  server.on('upgrade', (incoming, socket, head) => attach(incoming, socket, head, debugged()))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  // A debugger is no reason to stay.
  server.unref()
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  { url, headers: { host } }: IncomingMessage,
  response: ServerResponse,
  processes: readonly Debugged[],
): Promise<void> {
  const send = (status: number, body: unknown): void =>
    void response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body))
  if (host === undefined || !isOwnHost(host)) send(400, { message: 'Host must be localhost or an address.' })
  else if (url === '/json' || url === '/json/list') {
    const lists = await Promise.all(processes.map((each) => targetsOf(each, host)))
    send(200, lists.flat())
  } else if (url === '/json/version') {
    const [newest] = processes
    send(200, (newest && (await ask(newest, '/json/version'))) ?? { Browser: 'Deno', 'Protocol-Version': '1.3' })
  } else send(404, { message: 'Not found' })
}

async function targetsOf(process: Debugged, host: string): Promise<readonly object[]> {
  const targets = await ask(process, '/json/list')
  return Array.isArray(targets) ? targets.map((target) => renderTarget(target, process, host)) : []
}

/** What a process's own inspector answers; null where it does not, as one that is just starting. */
async function ask({ port }: Debugged, path: string): Promise<unknown> {
  try {
    const { body } = await request(`http://127.0.0.1:${port}${path}`, { headersTimeout })
    return await body.json()
  } catch {
    return null
  }
}

/** Joins a debugger with the process that its address names. */
function attach(
  { url = '', headers }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  processes: readonly Debugged[],
): void {
  const close = (): void => void socket.destroy()
  socket.once('error', close)
  const place = isOwnHost(headers.host) ? parsePlace(url) : null
  const found = processes.find(({ id }) => id === place?.id)
  if (place === null || found === undefined) {
    close()
    return
  }
  const { port } = found
  const outgoing = httpRequest({
    host: '127.0.0.1',
    port,
    path: place.path,
    headers: { ...headers, host: `127.0.0.1:${port}` },
    agent: false,
  })
  outgoing.once('upgrade', (upgraded, other, first) => {
    void joinSockets({ socket, head }, { head: upgraded, socket: other, first })
  })
  outgoing.once('response', close)
  outgoing.once('error', close)
  outgoing.end()
}
