import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, type ProductFacts, until } from './product.ts'

/** The example that is rendered on the server. */
export const notesFolder = fileURLToPath(new URL('../../examples/ssr/', import.meta.url))

export interface NotesApplication {
  readonly url: string
  /** Everything it printed so far. */
  readonly output: () => string
  close(): Promise<void>
}

/** Starts the built application against a product, in a process of its own. */
export async function startNotes({
  apiUrl,
  publishableKey,
  secretKey,
  ingestToken,
}: ProductFacts): Promise<NotesApplication> {
  const port = await freePort()
  const server = join(notesFolder, 'node_modules', '@react-router', 'serve', 'bin.js')
  const child = spawn(process.execPath, [server, 'dist/server/index.js'], {
    cwd: notesFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ...{ HOST: '127.0.0.1', PORT: String(port) },
      ...{ SUPABASE_URL: apiUrl, SUPABASE_KEY: publishableKey, POSTHOG_KEY: ingestToken },
      ...{ OTEL_SERVICE_NAME: 'notes', OTEL_EXPORTER_OTLP_ENDPOINT: apiUrl },
      OTEL_EXPORTER_OTLP_HEADERS: `apikey=${secretKey}`,
      // Spans leave at once.
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await until(() => output.includes('[react-router-serve] http') || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error(`The application ended:\n${output}`)
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
