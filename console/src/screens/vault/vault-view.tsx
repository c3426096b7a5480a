import { MissingExtension } from '../../frame/missing-extension.tsx'
import type { Secret } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

interface VaultProps {
  /** Absent while it is on its way. */
  readonly page: (GrowingList<Secret> & { readonly installed: boolean }) | undefined
  readonly openId: string | undefined
  readonly onOpen: (secret: Secret) => void
  readonly onEnd: () => void
}

const columns: readonly TableColumn<Secret>[] = [
  {
    id: 'name',
    title: 'Name',
    cell: ({ name, id }) =>
      name === null ? <span className="mono text-ink-2">{id}</span> : <span className="mono">{name}</span>,
  },
  { id: 'about', title: 'Description', from: 'sheet', cell: ({ description }) => description },
  { id: 'updated', title: 'Changed', width: 112, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { id: 'created', title: 'Created', width: 112, from: 'wide', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The secrets by name; their values are not among what is loaded. */
export function VaultView({ page, openId, onOpen, onEnd }: VaultProps) {
  if (page === undefined) return <SkeletonRows />
  if (!page.installed)
    return (
      <MissingExtension name="supabase_vault">
        It keeps secrets encrypted, for functions and jobs to read.
      </MissingExtension>
    )
  if (page.items.length === 0)
    return (
      <Empty title="No secrets yet.">
        <p>
          A secret is kept encrypted; the key is not in the database. SQL reads it from vault.decrypted_secrets by its
          name.
        </p>
        <Code
          text={`select vault.create_secret('the value', 'stripe_key', 'Payments, live');`}
          language="sql"
          copyLabel="Copy the SQL"
        />
      </Empty>
    )
  return (
    <Table
      label="Secrets"
      columns={columns}
      rows={page.items}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      openKey={openId}
      onEnd={onEnd}
    />
  )
}
