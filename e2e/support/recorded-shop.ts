import { posthogScript, type Site, serveSite } from './page.ts'
import type { ProductFacts } from './product.ts'

/** What the shop's page holds and what is done on it: each text stands in a recording only where a setting lets it. */
export const said = {
  name: 'Ida Brandt',
  card: '4242 4242',
  typed: 'by the door',
  password: 'an unsaid word',
  console: 'the till is open',
  header: 'x-shelf',
  sent: 'arabica',
  answered: 'seven bags',
  account: 'three invoices',
} as const

// The texts that scripts use stand in a script, which is never recorded.
const render = (product: ProductFacts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>Shop</title>
<script>${posthogScript(product)}</script>
</head>
<body>
<h1>Shop</h1>
<p class="name">${said.name}</p>
<p id="card">${said.card}</p>
<label>Note <input name="note"></label>
<label>Password <input type="password"></label>
<canvas width="80" height="40"></canvas>
<output></output>
<button>Look around</button>
<button>Order</button>
<button>Test it</button>
<button>Account</button>
<button>Back</button>
<button>Leave</button>
<script>
const output = document.querySelector('output')
async function lookAround() {
  console.warn('${said.console}')
  const drawing = document.querySelector('canvas').getContext('2d')
  drawing.fillRect(5, 5, 30, 20)
  await fetch('/stock', {
    method: 'POST',
    headers: { 'content-type': 'application/json', '${said.header}': 'top' },
    body: JSON.stringify({ bean: '${said.sent}' }),
  }).then((answer) => answer.json())
  output.textContent = 'looked'
}
function show(path, text) {
  history.pushState(null, '', path)
  output.textContent = text
}
const acts = {
  'Look around': lookAround,
  Order: () => posthog.capture('ordered'),
  'Test it': () => posthog.identify('tester ' + crypto.randomUUID(), { plan: 'beta' }),
  Account: () => show('/account', '${said.account}'),
  Back: () => show('/checkout', 'back'),
  Leave() {
    // Before what is left of the recording, which may take all that a browser sends of a page that is gone: 64 KiB.
    posthog.capture('page left', {}, { send_instantly: true })
    location.href = 'about:blank'
  },
}
for (const button of document.querySelectorAll('button')) button.addEventListener('click', acts[button.textContent])
</script>
</body>
</html>`

/**
 * Serves a shop whose page does what recordings are told to leave out; by a name, as posthog-js records no calls of a page
 * at localhost itself.
 */
export async function serveShop(product: ProductFacts): Promise<Site> {
  const { url, close } = await serveSite(render(product), { left: said.answered })
  return { url: url.replace('127.0.0.1', 'shop.localhost'), close }
}
