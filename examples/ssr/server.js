// Serves the built application, or with --dev the one under src, as it changes.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const isDev = process.argv.includes('--dev')
const port = Number(process.env.PORT ?? 3000)
// What the environment says already is left as it is.
process.loadEnvFile(join(root, '.env'))

const vite = isDev
  ? await (await import('vite')).createServer({ root, appType: 'custom', server: { middlewareMode: true } })
  : null

const types = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

async function renderPage(request) {
  if (vite !== null) {
    const { render } = await vite.ssrLoadModule('/src/entry-server.tsx')
    const template = await readFile(join(root, 'index.html'), 'utf8')
    return render(request, await vite.transformIndexHtml(new URL(request.url).pathname, template))
  }
  const { render } = await import('./dist/server/entry-server.js')
  return render(request, await readFile(join(root, 'dist/client/index.html'), 'utf8'))
}

async function answer(incoming, outgoing) {
  const url = new URL(incoming.url, `http://127.0.0.1:${port}`)
  if (vite === null && /^\/assets\/[\w.-]+$/.test(url.pathname)) {
    const file = await readFile(join(root, 'dist/client', url.pathname))
    return outgoing.writeHead(200, { 'content-type': types[extname(url.pathname)] ?? 'text/plain' }).end(file)
  }
  const request = new Request(url, { headers: { cookie: incoming.headers.cookie ?? '' } })
  const response = await renderPage(request)
  // Each cookie is a header of its own.
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'set-cookie': response.headers.getSetCookie(),
  })
  outgoing.end(await response.text())
}

createServer((incoming, outgoing) => {
  const page = () =>
    answer(incoming, outgoing).catch((error) => {
      console.error(error)
      outgoing.writeHead(error.code === 'ENOENT' ? 404 : 500).end('This did not work.')
    })
  if (vite === null) page()
  else vite.middlewares(incoming, outgoing, page)
}).listen(port, '127.0.0.1', () => console.log(`Notes: http://127.0.0.1:${port}`))
