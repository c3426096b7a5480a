import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { ProductFacts } from './product.ts'

/** A version of posthog-js, and what tells its calls from those of the others. */
export interface Version {
  /** Its alias among the packages. */
  readonly name: string
  readonly tracing: (host: string) => object
  readonly flags: string
  /** As the query says it; null where the bytes do. */
  readonly encodings: { readonly flags: string | null; readonly events: string | null }
  readonly scripts: readonly string[]
}

const lazily = ['tracing-headers', 'surveys', 'exception-autocapture', 'dead-clicks-autocapture']
const byName = (version: string, more: readonly string[]): readonly string[] =>
  [...lazily, ...more].map((name) => `/static/${name}.js?v=${version}`)

const inQuery = { flags: 'base64', events: 'gzip-js' }
const allHosts = () => ({ __add_tracing_headers: true })

/** The oldest, those at which requests change, and the newest. The installed version has its own tests. */
export const versions: readonly Version[] = [
  {
    name: 'posthog-js-1.200',
    tracing: allHosts,
    flags: '/decide/?v=3',
    encodings: inQuery,
    scripts: byName('1.200.0', ['recorder', 'web-vitals']),
  },
  {
    name: 'posthog-js-1.245',
    tracing: allHosts,
    flags: '/decide/?v=4',
    encodings: inQuery,
    scripts: byName('1.245.1', ['recorder', 'web-vitals']),
  },
  {
    name: 'posthog-js-1.300',
    tracing: (host) => ({ __add_tracing_headers: [host] }),
    flags: '/flags/?v=2&config=true',
    encodings: inQuery,
    scripts: [...byName('1.300.0', ['lazy-recorder', 'web-vitals']), '/config.js'],
  },
  {
    name: 'posthog-js-1.449',
    tracing: (host) => ({ tracing_headers: [host] }),
    flags: '/flags/?v=2',
    encodings: { flags: null, events: null },
    scripts: [
      ...[...lazily, 'lazy-recorder', 'web-vitals-with-attribution'].map((name) => `/static/1.449.2/${name}.js`),
      '/config.js',
    ],
  },
]

/** Serves a page for each version, which has it from npm and in its bundle, as an application does. */
export async function serveVersions({
  apiUrl,
  ingestToken,
}: ProductFacts): Promise<{ readonly url: string; close(): void }> {
  const bundles = new Map<string, string>()
  for (const { name, tracing } of versions) {
    const options = {
      api_host: `${apiUrl}/ingest`,
      capture_dead_clicks: true,
      // The browser is shared, and says in its header that it is a robot's.
      opt_out_useragent_filter: true,
      request_queue_config: { flush_interval_ms: 250 },
      ...tracing(new URL(apiUrl).hostname),
    }
    const contents = `import posthog from '${name}'
      window.posthog = posthog
      posthog.init('${ingestToken}', ${JSON.stringify(options)})`
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
      ...{ bundle: true, write: false, format: 'iife', logLevel: 'error' },
    })
    bundles.set(name, outputFiles[0]?.text ?? '')
  }
  const server = createServer((request, answer) => {
    const name = new URL(request.url ?? '', 'http://site').pathname.slice(1)
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Versions</title></head>
<body><h1>Versions</h1><button onclick="throw new TypeError('no beans left')">Break</button>
<script>${bundles.get(name)?.replaceAll('</script', '<\\/script')}</script></body></html>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
