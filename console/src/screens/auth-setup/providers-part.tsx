import type { AuthSetup } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'

type Provider = AuthSetup['providers'][number]

interface ProvidersPartProps {
  readonly providers: readonly Provider[]
  readonly open: string | undefined
  readonly onOpen: (name: string | undefined) => void
}

function State({ provider: { enabled, missing } }: { readonly provider: Provider }) {
  if (!enabled) return <span className="text-ink-2">off</span>
  return missing === null ? <Dot tone="ok">on</Dot> : <Dot tone="warn">on, not ready</Dot>
}

const columns: readonly TableColumn<Provider>[] = [
  { id: 'name', title: 'Provider', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { id: 'state', title: 'State', width: 132, cell: (provider) => <State provider={provider} /> },
  {
    id: 'client',
    title: 'Client',
    from: 'sheet',
    cell: ({ clientId }) => <span className="mono text-ink-2">{clientId ?? '–'}</span>,
  },
  {
    id: 'missing',
    title: 'Missing',
    from: 'wide',
    cell: ({ enabled, missing }) => enabled && missing !== null && <span className="text-warn">{missing}</span>,
  },
]

/** Those that users sign in with first. */
const ordered = (providers: readonly Provider[]): readonly Provider[] =>
  providers.toSorted((a, b) => Number(b.enabled) - Number(a.enabled) || a.name.localeCompare(b.name))

/** The providers that users may sign in with, and how one is switched on. */
export function ProvidersPart({ providers, open, onOpen }: ProvidersPartProps) {
  const provider = providers.find(({ name }) => name === open)
  return (
    <>
      <Table
        label="Providers"
        columns={columns}
        rows={ordered(providers)}
        rowKey={({ name }) => name}
        onOpen={({ name }) => onOpen(name)}
        openKey={open}
      />
      <Drawer open={provider !== undefined} onClose={() => onOpen(undefined)} title={provider?.name}>
        {provider && <OpenProvider provider={provider} />}
      </Drawer>
    </>
  )
}

function OpenProvider({ provider }: { readonly provider: Provider }) {
  const { name, redirectUri, clientId, missing } = provider
  const variable = `CLEW_AUTH_EXTERNAL_${name.toUpperCase()}_SECRET`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <p>
        <State provider={provider} />
        {missing !== null && <span className="text-ink-2"> · {missing}</span>}
      </p>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-semibold">Redirect address</h2>
        <p className="text-ink-2">Name it at the provider, letter by letter: it sends users back to it.</p>
        <Code text={redirectUri} copyLabel="Copy the redirect address" />
      </section>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-semibold">Switch it on</h2>
        <p className="text-ink-2">
          In supabase/config.toml of the project; the secret stays in the environment. It holds after a restart.
        </p>
        <Code
          text={[
            `[auth.external.${name}]`,
            'enabled = true',
            `client_id = "${clientId ?? '…'}"`,
            `secret = "env(${variable})"`,
            ...(name === 'keycloak' ? ['url = "https://…/realms/…"'] : []),
          ].join('\n')}
          copyLabel="Copy the lines"
        />
      </section>
    </div>
  )
}
