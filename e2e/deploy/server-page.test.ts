import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/product.ts'
import { docker, shell, whySkipped } from './docker.ts'
import { blocksOf } from './page.ts'
import { copySources, root } from './sources.ts'

const name = `clew-trial-server-${process.pid}`
const image = 'localhost/clew-trial-server'
const api = 'https://api.example.com'
/** Caddy's own authority, as none on the Internet reaches this server. */
const authority = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'

const why = whySkipped([image])
const title = `a newcomer follows "On a server of your own"${why === '' ? '' : ` (skipped: ${why})`}`
describe.skipIf(why !== '')(title, () => {
  let folder: string
  /** The page's blocks below "With systemd", and the one of Caddy. */
  let installing: string
  let settings: string
  let starting: string
  let commands: string
  let tls: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-newcomer-'))
    const blocks = await blocksOf('deploy-server.md', 'With systemd')
    ;[installing = '', settings = '', starting = '', commands = ''] = blocks
    ;[tls = ''] = await blocksOf('deploy-server.md', 'TLS with Caddy')
    copySources(join(folder, 'clew'))
    const packed = shell(
      `npm pack --json --pack-destination ${folder} | tee ${folder}/packed.json`,
      join(root, 'server'),
    )
    expect(packed.code, packed.output).toBe(0)
    const started = docker(
      'run',
      '--detach',
      '--name',
      name,
      '--privileged',
      '--hostname',
      'server',
      '--tmpfs',
      '/run',
      '--tmpfs',
      '/tmp:exec',
      '--add-host',
      'api.example.com:127.0.0.1',
      '--add-host',
      'console.example.com:127.0.0.1',
      image,
    )
    expect(started.code, started.output).toBe(0)
    shell(`mv ${folder}/*.tgz ${folder}/clew/clew.tgz`, folder)
    expect(docker('cp', join(folder, 'clew'), `${name}:/root/clew`).code).toBe(0)
    await until(() => ['running', 'degraded'].includes(onServer('systemctl is-system-running || true').output), 60_000)
  }, 600_000)
  afterAll(async () => {
    docker('rm', '--force', '--volumes', name)
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  /** Runs a block on the server, in the clone of the repository; a line of it that fails ends it. */
  const onServer = (block: string) =>
    docker('exec', '--workdir', '/root/clew', name, 'bash', '-euo', 'pipefail', '-c', block)
  const good = (block: string): string => {
    const { code, output } = onServer(block)
    expect(code, output).toBe(0)
    return output
  }
  const write = (text: string): void => void good(`printf '%s' '${text.replaceAll("'", `'\\''`)}' > /etc/clew/clew.env`)
  const findings = (output: string): readonly string[] => output.split('\n').filter((line) => line.startsWith('✗'))

  test('installs it, and the service runs', async () => {
    // The registry has no version that is not released yet: the package is that of these sources.
    good(installing.replace('--omit=dev clew', '--omit=dev /root/clew/clew.tgz'))
    write(settings)
    good(starting)
    await until(() => onServer('journalctl --unit clew').output.includes('Ready in'), 180_000).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}\n${onServer('journalctl --unit clew').output}`)
      },
    )
    expect(good(commands).split('\n').at(-1)).toMatch(/^https:\/\/console\.example\.com\/console\/welcome\?token=/)
    expect(good('ps -o user= -C node,postgres | sort -u')).toBe('clew')
  }, 600_000)

  test('with Caddy in front, `clew doctor --production` finds nothing', async () => {
    const [before = '', after = ''] = tls.split(/^(?=clew doctor)/m)
    // No authority of the Internet reaches this server: Caddy is one itself, and Clew trusts it as it would an own one.
    good(
      before
        .replace(
          'sudo cp deploy/Caddyfile',
          `(printf '{\\nlocal_certs\\nskip_install_trust\\n}\\n'; cat deploy/Caddyfile) > deploy/own && sudo cp deploy/own`,
        )
        .replace(/^sudo apt-get install --yes caddy$/m, 'command -v caddy'),
    )
    await until(() => onServer(`test -f ${authority}`).code === 0, 60_000)
    good(`install -m 0644 ${authority} /etc/clew/authority.crt`)
    write(`${settings}NODE_EXTRA_CA_CERTS=/etc/clew/authority.crt\n`)
    good('systemctl restart clew')
    await until(
      () =>
        onServer('curl --silent --fail --cacert /etc/clew/authority.crt https://api.example.com/health/ready').code ===
        0,
      120_000,
    )
    const { code, output } = onServer(after)
    expect({ code, findings: findings(output) }, output).toEqual({ code: 0, findings: [] })
  }, 300_000)

  /** What one variable of the file is, in place of the page's. */
  const withVariable = (variable: string, value: string | null): string => {
    const others = settings
      .split('\n')
      .filter((line) => !line.startsWith(`${variable}=`) && !line.startsWith(`${variable}_FILE=`))
      .join('\n')
    return `${others}NODE_EXTRA_CA_CERTS=/etc/clew/authority.crt\n${value === null ? '' : `${variable}=${value}\n`}`
  }
  test.each([
    ['no mail server', 'CLEW_MAIL_SMTP_URL', null, 'a mail server'],
    ['no place for backups', 'CLEW_BACKUP_FOLDER', null, 'a place for backups'],
    ['no passphrase', 'CLEW_BACKUP_PASSPHRASE_FILE', null, 'there is no passphrase'],
    ['a short passphrase', 'CLEW_BACKUP_PASSPHRASE', 'short', '12 characters or more'],
    ['a proxy that is not trusted', 'CLEW_TRUSTED_PROXIES', null, 'Name that proxy in trusted_proxies'],
    ['no address of the application', 'CLEW_PUBLIC_URL', null, '--public-url'],
    ['an address without TLS', 'CLEW_PUBLIC_URL', 'http://api.example.com', 'is no HTTPS'],
    ['a console without an address', 'CLEW_CONSOLE_URL', null, '--console-url'],
    ['a console at the application’s host', 'CLEW_CONSOLE_URL', `${api}:8443`, 'it has the host name of public_url'],
    [
      'addresses that are not confirmed',
      'CLEW_AUTH_EMAIL_ENABLE_CONFIRMATIONS',
      'false',
      'anybody may sign up as any address',
    ],
    [
      'the published JWT secret',
      'CLEW_JWT_SECRET',
      'super-secret-jwt-token-with-at-least-32-characters-long',
      'the secret of local mode',
    ],
    [
      'the published secret key',
      'CLEW_SECRET_KEY',
      'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
      'the secret of local mode',
    ],
    ['a short token for numbers', 'CLEW_METRICS_TOKEN', 'short', 'metrics_token: it has 5 characters'],
  ])(
    'doctor names %s',
    (_fault, variable, value, words) => {
      write(withVariable(variable, value))
      const { code, output } = onServer('clew doctor --production')
      expect(code, output).toBeGreaterThan(0)
      expect(
        output.split('\n').filter((line) => line.includes(words)),
        output,
      ).not.toEqual([])
    },
    60_000,
  )

  test.each([
    [
      'keys that others may read',
      'chmod 0644 /var/lib/clew/keys.json',
      'chmod 0600 /var/lib/clew/keys.json',
      'keys: others may read them',
    ],
    ['a proxy that is down', 'systemctl stop caddy', 'systemctl start caddy', 'https://api.example.com is not reached'],
    [
      'a proxy that leads elsewhere',
      "sed -i 's/54321/2019/' /etc/caddy/Caddyfile && systemctl restart caddy",
      "sed -i 's/2019/54321/' /etc/caddy/Caddyfile && systemctl restart caddy",
      'public_url: https://api.example.com is answered with',
    ],
    [
      'a certificate that is nobody’s',
      'mv /etc/clew/authority.crt /etc/clew/mine',
      'mv /etc/clew/mine /etc/clew/authority.crt',
      'is not reached',
    ],
  ])(
    'doctor names %s',
    async (_fault, provoke, mend, words) => {
      write(`${settings}NODE_EXTRA_CA_CERTS=/etc/clew/authority.crt\n`)
      good(provoke)
      const isNamed = () => findings(onServer('clew doctor --production').output).some((line) => line.includes(words))
      await until(isNamed, 30_000)
      good(mend)
      await until(() => onServer('clew doctor --production').code === 0, 60_000)
    },
    180_000,
  )

  test('doctor names root, and a limit of open files', () => {
    const asRoot = onServer(
      'set -a; . /etc/clew/clew.env; CLEW_DATA=/var/lib/clew CLEW_PRODUCTION=true /opt/clew/node_modules/.bin/clew doctor --production',
    )
    expect(findings(asRoot.output), asRoot.output).toEqual([
      '✗ user: this is root',
      '✗ instance: its socket is not found',
    ])
    const limited = good('(ulimit -n 1024; clew doctor --production || true)')
    expect(findings(limited)).toEqual(['✗ open files: 1024 at most'])
  }, 60_000)

  test('a kill is followed by a start, and a stop ends it at once', async () => {
    const pidOf = () => onServer('systemctl show --property MainPID --value clew').output
    const before = pidOf()
    good('systemctl kill --signal SIGKILL --kill-who main clew')
    await until(() => pidOf() !== before && pidOf() !== '0', 60_000)
    await until(
      () =>
        onServer('curl --silent --fail --cacert /etc/clew/authority.crt https://api.example.com/health/ready').code ===
        0,
      120_000,
    )
    good('systemctl stop clew')
    expect(good('systemctl show --property Result --value clew')).toBe('success')
    expect(onServer('pgrep -u clew').output).toBe('')
  }, 240_000)
})
