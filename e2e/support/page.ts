import { createServer } from 'node:http'
import { freePort, type ProductFacts } from './product.ts'

// As posthog.com hands it out for pages without a bundler.
const loader = `!function(t,e){var o,n,p,r;e.__SV||(window.posthog=e,e._i=[],e.init=function(i,s,a){function g(t,e){var o=e.split(".");2==o.length&&(t=t[o[0]],e=o[1]),t[e]=function(){t.push([e].concat(Array.prototype.slice.call(arguments,0)))}}(p=t.createElement("script")).type="text/javascript",p.crossOrigin="anonymous",p.async=!0,p.src=s.api_host.replace(".i.posthog.com","-assets.i.posthog.com")+"/static/array.js",(r=t.getElementsByTagName("script")[0]).parentNode.insertBefore(p,r);var u=e;for(void 0!==a?u=e[a]=[]:a="posthog",u.people=u.people||[],u.toString=function(t){var e="posthog";return"posthog"!==a&&(e+="."+a),t||(e+=" (stub)"),e},u.people.toString=function(){return u.toString(1)+".people (stub)"},o="init capture register register_once unregister identify setPersonProperties group resetGroups reset get_distinct_id getGroups get_session_id alias opt_in_capturing opt_out_capturing isFeatureEnabled getFeatureFlag reloadFeatureFlags onFeatureFlags startSessionRecording stopSessionRecording".split(" "),n=0;n<o.length;n++)g(u,o[n]);e._i.push([i,s,a])},e.__SV=1)}(document,window.posthog||[]);`

/** A script that loads posthog-js for a product, on a page without a bundler. */
export const posthogScript = ({ apiUrl, ingestToken }: ProductFacts): string => `${loader}
posthog.init('${ingestToken}', {
  api_host: '${apiUrl}/ingest',
  defaults: '2025-05-24',
  tracing_headers: ['${new URL(apiUrl).hostname}'],
  request_queue_config: { flush_interval_ms: 250 },
})`

const render = (product: ProductFacts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>Bean counter</title>
<script>
${posthogScript(product)}
async function askPrice() {
  const answer = await fetch('${product.apiUrl}/rest/v1/products?select=name&id=eq.1', { headers: { apikey: '${product.publishableKey}' } })
  document.querySelector('output').textContent = answer.status + ' ' + answer.headers.get('x-request-id')
}
function leave() {
  posthog.capture('page left')
  location.href = 'about:blank'
}
</script>
</head>
<body>
<h1>Bean counter</h1>
<button onclick="posthog.capture('bean picked', { beans: 7 })">Pick a bean</button>
<button onclick="posthog.identify('customer-7', { email: 'ida@example.test', name: 'Ida Brandt' })">That is me</button>
<button onclick="askPrice()">Ask the price</button>
<button onclick="leave()">Leave</button>
<output></output>
</body>
</html>`

/** A page that is served on an origin of its own. */
export interface Site {
  /** Of its first page. */
  readonly url: string
  close(): Promise<void>
}

/** Serves a page that uses posthog-js as its documentation says. */
export const servePage = (product: ProductFacts): Promise<Site> => serveSite(render(product))

/** Serves a page at every address of an origin of its own; what is posted there is answered with `posted`, as JSON. */
export async function serveSite(html: string, posted: object = {}): Promise<Site> {
  const port = await freePort()
  const server = createServer((request, answer) => {
    const isPosted = request.method === 'POST'
    const body = Buffer.from(isPosted ? JSON.stringify(posted) : html)
    const type = isPosted ? 'application/json' : 'text/html; charset=utf-8'
    // posthog-js records no body that comes in chunks.
    answer.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
