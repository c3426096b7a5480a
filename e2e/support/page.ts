import { createServer } from 'node:http'
import { freePort, type ProductFacts } from './product.ts'

// As posthog.com hands it out for pages without a bundler.
const loader = `!function(t,e){var o,n,p,r;e.__SV||(window.posthog=e,e._i=[],e.init=function(i,s,a){function g(t,e){var o=e.split(".");2==o.length&&(t=t[o[0]],e=o[1]),t[e]=function(){t.push([e].concat(Array.prototype.slice.call(arguments,0)))}}(p=t.createElement("script")).type="text/javascript",p.crossOrigin="anonymous",p.async=!0,p.src=s.api_host.replace(".i.posthog.com","-assets.i.posthog.com")+"/static/array.js",(r=t.getElementsByTagName("script")[0]).parentNode.insertBefore(p,r);var u=e;for(void 0!==a?u=e[a]=[]:a="posthog",u.people=u.people||[],u.toString=function(t){var e="posthog";return"posthog"!==a&&(e+="."+a),t||(e+=" (stub)"),e},u.people.toString=function(){return u.toString(1)+".people (stub)"},o="init capture register register_once unregister identify setPersonProperties group resetGroups reset get_distinct_id getGroups get_session_id alias opt_in_capturing opt_out_capturing isFeatureEnabled getFeatureFlag reloadFeatureFlags onFeatureFlags startSessionRecording stopSessionRecording".split(" "),n=0;n<o.length;n++)g(u,o[n]);e._i.push([i,s,a])},e.__SV=1)}(document,window.posthog||[]);`

const render = ({ apiUrl, ingestToken, publishableKey }: ProductFacts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>Bean counter</title>
<script>
${loader}
posthog.init('${ingestToken}', {
  api_host: '${apiUrl}/ingest',
  defaults: '2025-05-24',
  tracing_headers: ['${new URL(apiUrl).hostname}'],
  request_queue_config: { flush_interval_ms: 250 },
})
async function askPrice() {
  const answer = await fetch('${apiUrl}/rest/v1/products?select=name&id=eq.1', { headers: { apikey: '${publishableKey}' } })
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

/** Serves, on an origin of its own, a page without a bundler that uses posthog-js as its documentation says. */
export async function servePage(product: ProductFacts): Promise<{ readonly url: string; close(): Promise<void> }> {
  const port = await freePort()
  const html = render(product)
  const server = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
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
