import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { blocksOf } from './page.ts'
import { places, withFiles } from './places.ts'
import { root } from './sources.ts'

/** The first block of a language on a page. */
async function fileOf(page: string, heading: string, language: string): Promise<string> {
  const [block] = await blocksOf(page, heading, language)
  if (block === undefined) throw new Error(`docs/guide/${page} has no block of ${language}.`)
  return block
}

const hasModels = existsSync(join(root, 'node_modules/kubernetes-models'))

interface Named {
  readonly name: string
}
interface Probe {
  readonly httpGet: { readonly port: string }
}
interface Pod {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number }
  readonly containers: readonly [
    {
      readonly env: readonly { readonly name: string; readonly value: string }[]
      readonly ports: readonly Named[]
      readonly volumeMounts: readonly Named[]
      readonly startupProbe: Probe
      readonly readinessProbe: Probe
      readonly livenessProbe: Probe
    },
  ]
  readonly volumes: readonly Named[]
}
/** What the tests below read of the page's manifests, in their order. */
interface Manifests {
  readonly stateful: {
    readonly spec: {
      readonly template: { readonly spec: Pod }
      readonly volumeClaimTemplates: readonly { readonly metadata: Named }[]
    }
  }
  readonly service: { readonly spec: { readonly ports: readonly (Named & { readonly targetPort: string })[] } }
  readonly ingress: {
    readonly spec: {
      readonly rules: readonly {
        readonly http: {
          readonly paths: readonly { readonly backend: { readonly service: { readonly port: Named } } }[]
        }
      }[]
    }
  }
}
interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

const manifests = async (): Promise<readonly Manifest[]> =>
  parseAllDocuments(await fileOf('deploy-kubernetes.md', 'On Kubernetes', 'yaml')).map((document) => document.toJS())

test.skipIf(!hasModels)(
  `what Kubernetes is given is of its API, without a misspelt field${hasModels ? '' : ' (skipped: kubernetes-models is not installed)'}`,
  async () => {
    const found = await manifests()
    expect(found.map(({ kind }) => kind)).toEqual(['StatefulSet', 'Service', 'Ingress'])
    const pathOf = ({ apiVersion }: Manifest): string => `kubernetes-models/${apiVersion}`
    for (const each of found) {
      const models = (await import(pathOf(each))) as Readonly<
        Record<string, new (data: object) => { validate(): void }>
      >
      const Model = models[each.kind] ?? expect.fail(each.kind)
      expect(() => new Model(each).validate()).not.toThrow()
    }
    // Its schemas let unknown fields pass, as the API does; its types name them.
    const folder = await mkdtemp(join(root, 'e2e/deploy/manifests-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const lines = found.flatMap((each, index) => [
      `import type { I${each.kind} } from '${pathOf(each)}'`,
      `export const manifest${index}: I${each.kind} = ${JSON.stringify(each)}`,
    ])
    const misspelt = JSON.stringify(found[0]).replace('"readinessProbe"', '"redinessProbe"')
    lines.push('// @ts-expect-error: a field that there is not.', `export const misspelt: IStatefulSet = ${misspelt}`)
    await writeFile(join(folder, 'manifests.ts'), lines.join('\n'))
    const options = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--types',
      'node',
    ]
    const compiled = spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, join(folder, 'manifests.ts')], {
      encoding: 'utf8',
    })
    expect(compiled).toMatchObject({ status: 0, stdout: '' })
  },
)

test('the pod of the page has settings that there are, and its probes, ports, volumes and mounts fit together', async () => {
  const [stateful, service, ingress] = await manifests()
  // Whether they have these shapes is what the test above looks at.
  const found = { stateful, service, ingress } as unknown as Manifests
  const { containers, volumes, securityContext } = found.stateful.spec.template.spec
  const [{ env, ports, volumeMounts, ...probes }] = containers
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]))
  expect(places(withFiles(variables)).toSorted()).toEqual(Object.keys(variables).toSorted())
  const names = (list: readonly Named[]): readonly string[] => list.map(({ name }) => name)
  const claimed = found.stateful.spec.volumeClaimTemplates.map(({ metadata }) => metadata.name)
  expect(names(volumeMounts).toSorted()).toEqual([...names(volumes), ...claimed].toSorted())
  for (const { httpGet } of [probes.startupProbe, probes.readinessProbe, probes.livenessProbe])
    expect(names(ports)).toContain(httpGet.port)
  const served = found.service.spec.ports
  expect(served.map(({ targetPort }) => targetPort)).toEqual(names(ports))
  for (const { backend } of found.ingress.spec.rules.flatMap(({ http }) => http.paths))
    expect(names(served)).toContain(backend.service.port.name)
  // The image's own user.
  const { runAsUser, runAsGroup } = securityContext
  expect(await readFile(join(root, 'deploy/Dockerfile'), 'utf8')).toContain(`CLEW_USER=${runAsUser}:${runAsGroup}`)
})

interface FlyFile {
  readonly kill_signal: string
  readonly build: { readonly dockerfile: string; readonly args: Readonly<Record<string, string>> }
  readonly env: Readonly<Record<string, string>>
  readonly mounts: readonly [{ readonly destination: string }]
  readonly services: readonly { readonly internal_port: number }[]
}

/** What fly.toml has of each table, as far as the page sets it (fly.io/docs/reference/configuration). */
const flyFields: Readonly<Record<string, readonly string[]>> = {
  '': ['app', 'primary_region', 'kill_signal', 'kill_timeout', 'build', 'env', 'mounts', 'vm', 'services'],
  build: ['dockerfile', 'args', 'image', 'target'],
  mounts: ['source', 'destination', 'initial_size', 'processes'],
  vm: ['memory', 'cpus', 'cpu_kind', 'size', 'processes'],
  services: [
    'internal_port',
    'protocol',
    'auto_stop_machines',
    'auto_start_machines',
    'min_machines_running',
    'ports',
    'http_checks',
    'tcp_checks',
  ],
  'services.ports': ['port', 'handlers', 'force_https'],
  'services.http_checks': ['path', 'interval', 'timeout', 'grace_period', 'method', 'protocol'],
}

test('fly.toml has fields that there are, settings that there are, and the image’s volume and ports', async () => {
  const file = parseToml(await fileOf('deploy-fly.md', 'On Fly and hosts like it', 'toml')) as unknown as FlyFile
  const look = (table: object, path: string): void => {
    for (const [name, value] of Object.entries(table)) {
      expect(flyFields[path], `[${path}]`).toContain(name)
      const below = path === '' ? name : `${path}.${name}`
      if (!(below in flyFields)) continue
      for (const each of Array.isArray(value) ? value : [value]) look(each, below)
    }
  }
  look(file, '')
  expect(places(file.env).toSorted()).toEqual(Object.keys(file.env).toSorted())
  const image = await readFile(join(root, file.build.dockerfile), 'utf8')
  for (const argument of Object.keys(file.build.args)) expect(image).toContain(`ARG ${argument}=`)
  expect(image).toContain(`VOLUME ${file.mounts[0].destination}\n`)
  expect(image).toContain(`EXPOSE ${file.services.map(({ internal_port: port }) => port).join(' ')}\n`)
  expect(image).toContain(`STOPSIGNAL ${file.kill_signal}\n`)
})

test.each(['With systemd', 'TLS without a proxy'])('the settings of "%s" are such as there are', async (heading) => {
  const block = (await blocksOf('deploy-server.md', heading)).find((each) => each.startsWith('CLEW_')) ?? ''
  const variables = parseToml(block.replaceAll(/=(.*)$/gm, '="$1"')) as Record<string, string>
  expect(places(withFiles(variables)).toSorted()).toEqual(Object.keys(variables).toSorted())
})

test('the commands for nginx put the reader’s domain in each place of the file, and ask for its certificates', async () => {
  const [block = ''] = await blocksOf('deploy-server.md', 'TLS with nginx')
  const sed = block.split('\n').find((line) => line.startsWith('sudo sed ')) ?? ''
  const folder = await mkdtemp(join(root, 'e2e/deploy/nginx-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'clew.conf')
  await writeFile(path, await readFile(join(root, 'deploy/nginx.conf')))
  const { status } = spawnSync('sh', ['-c', sed.replace('sudo ', '').replace('/etc/nginx/conf.d/clew.conf', path)])
  expect(status).toBe(0)
  const text = await readFile(path, 'utf8')
  expect(text).not.toContain('example.com')
  const [, names = ''] = /for name in (.*);/.exec(block) ?? []
  const used = [...text.matchAll(/ssl_certificate \/etc\/letsencrypt\/live\/(\S+)\/fullchain\.pem;/g)].map(
    ([, name]) => name,
  )
  expect(used).toEqual(names.replaceAll('example.com', 'your.domain').split(' '))
  const [, webRoot] = /--webroot-path (\S+)/.exec(block) ?? []
  expect(text).toContain(`root ${webRoot};`)
})
