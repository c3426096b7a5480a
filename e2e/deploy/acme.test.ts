import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { hasPebble, startPebble } from '../../server/test/pebble.ts'
import { freePort, startProduct, until } from '../support/product.ts'

/** Who made the certificate that a port shows. */
const issuerOf = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().issuer.CN))
      socket.end()
    })
    socket.once('error', reject)
  })

test.skipIf(!hasPebble)(
  `both ports get their certificate from an authority while they are open${hasPebble ? '' : ' (skipped: pebble is not installed)'}`,
  async () => {
    const pebble = await startPebble()
    onTestFinished(pebble.close)
    const [port, consolePort] = [await freePort(), await freePort()]
    const product = await startProduct({
      ...{ port, consolePort },
      args: [
        ...['--production', '--tls', '--public-url', `https://localhost:${port}`],
        ...['--console-url', `https://localhost:${consolePort}`],
      ],
      env: {
        CLEW_ACME_ENABLED: 'true',
        CLEW_ACME_ACCEPT_TERMS: 'true',
        CLEW_ACME_DIRECTORY_URL: pebble.directoryUrl,
        CLEW_ACME_HTTP_PORT: String(pebble.httpPort),
        NODE_EXTRA_CA_CERTS: pebble.caFile,
      },
    })
    onTestFinished(product.close)
    const hasReplaced = async (at: number) => (await issuerOf(at)).startsWith('Pebble')
    await until(() => hasReplaced(port), 100_000)
    await until(() => hasReplaced(consolePort), 100_000)
    const led = await fetch(`http://localhost:${pebble.httpPort}/console`, { redirect: 'manual' })
    expect([led.status, led.headers.get('location')]).toEqual([308, `https://localhost:${port}/console`])
  },
)
