import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createClickHouse } from '../../server/src/engines/clickhouse/index.ts'
import { freePort } from './product.ts'

/** A ClickHouse server by its address: the engine that we embed, behind a port. */
export async function startClickHouse(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-ch-'))
  const socketPath = join(folder, 's')
  const engine = createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketPath,
    memoryBytes: 400 * 1024 * 1024,
    log: () => undefined,
  })
  await engine.ready()
  const port = await freePort()
  const server = createServer((socket) => {
    const inner = connect(socketPath)
    socket.pipe(inner).pipe(socket)
    socket.on('error', () => inner.destroy())
    inner.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.close()
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  })
  return `http://127.0.0.1:${port}`
}
