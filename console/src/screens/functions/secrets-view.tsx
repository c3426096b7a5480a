import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { FunctionSecret } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'

interface SecretsProps {
  /** Absent while they are on their way. */
  readonly secrets: readonly FunctionSecret[] | undefined
  readonly canChange: boolean
  readonly onChanged: () => void
}

/** The secrets of functions: names and digests, never values. */
export function SecretsView({ secrets, canChange, onChanged }: SecretsProps) {
  const toast = useToast()
  const unset = useMutation({
    mutationFn: (name: string) => api.unsetFunctionSecret(name),
    onSuccess: (_done, name) => {
      toast.add({ title: `${name} is unset.` })
      onChanged()
    },
    onError: (problem) => void toast.add({ title: 'The secret stays.', description: errorText(problem) }),
  })
  if (!canChange)
    return (
      <Empty title="Secrets are for owners and developers.">
        <p>Functions find them in their environment by name.</p>
      </Empty>
    )
  if (secrets === undefined) return <SkeletonRows />
  if (secrets.length === 0)
    return (
      <Empty title="No secrets yet.">
        <p>Every function finds them in its environment, from its next call on. Their values are never shown again.</p>
        <Code text="Deno.env.get('STRIPE_KEY')" copyLabel="Copy the code" />
      </Empty>
    )
  const columns: readonly TableColumn<FunctionSecret>[] = [
    { id: 'name', title: 'Name', cell: ({ name }) => <span className="mono">{name}</span> },
    {
      id: 'digest',
      title: 'Digest',
      from: 'sheet',
      cell: ({ digest }) => (
        <span className="mono text-ink-2" title="Of the value: another value has another digest">
          {digest.slice(0, 16)}
        </span>
      ),
    },
    { id: 'at', title: 'Set', width: 104, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      id: 'unset',
      title: <span className="sr-only">Unset</span>,
      width: 84,
      align: 'right',
      cell: ({ name }) => (
        <Button
          size="small"
          look="danger"
          aria-label={`Unset ${name}`}
          disabled={unset.isPending}
          onClick={() => unset.mutate(name)}
        >
          Unset
        </Button>
      ),
    },
  ]
  return <Table label="Secrets" columns={columns} rows={secrets} rowKey={({ name }) => name} />
}
