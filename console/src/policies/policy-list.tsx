import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../lib/api/api-error.ts'
import type { StoragePolicy } from '../lib/api/schemas.ts'
import { useRights } from '../lib/rights.ts'
import { Button } from '../ui/button.tsx'
import { TitledCode } from '../ui/titled-code.tsx'
import { useToast } from '../ui/toast.tsx'

/** A policy of row security, on whatever table it is. */
type Policy = Omit<StoragePolicy, 'table'>

interface PolicyCardProps {
  readonly policy: Policy
  /** The table's name with its schema, as SQL. */
  readonly table: string
  readonly drop: () => Promise<unknown>
  /** The list of policies, which is asked again after a change. */
  readonly listKey: QueryKey
}

/** A policy as the statement that makes it; owners drop it here. */
export function PolicyCard({ policy, table, drop, listKey }: PolicyCardProps) {
  const { canReveal: isOwner } = useRights()
  const queryClient = useQueryClient()
  const toast = useToast()
  const dropping = useMutation({
    mutationFn: drop,
    onError: (problem) => void toast.add({ title: 'The policy was not dropped.', description: errorText(problem) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: listKey }),
  })
  return (
    <TitledCode
      title={policy.name}
      level={2}
      sql={policySql(policy, table)}
      copyLabel={`Copy ${policy.name}`}
      action={
        isOwner && (
          <Button size="small" look="danger" disabled={dropping.isPending} onClick={() => dropping.mutate()}>
            Drop
          </Button>
        )
      }
    />
  )
}

function policySql({ name, command, roles, permissive, using, check }: Policy, table: string): string {
  return [
    `create policy "${name.replaceAll('"', '""')}"`,
    `  on ${table}${permissive ? '' : ' as restrictive'} for ${command} to ${roles.join(', ')}`,
    ...(using === null ? [] : [`  using (${using})`]),
    ...(check === null ? [] : [`  with check (${check})`]),
  ].join('\n')
}

/** A policy that is ready to be made. */
interface PolicyTemplate {
  readonly id: string
  readonly title: string
  readonly sql: string
}

interface PolicyTemplatesProps {
  readonly templates: readonly PolicyTemplate[]
  readonly apply: (templateId: string) => Promise<unknown>
  /** The list of policies, which is asked again after a change. */
  readonly listKey: QueryKey
  /** Whether they are still those of another choice, which must not be applied. */
  readonly isOutdated?: boolean
}

/** Policies to read and to copy; owners apply them here. */
export function PolicyTemplates({ templates, apply, listKey, isOutdated = false }: PolicyTemplatesProps) {
  const { canReveal: isOwner } = useRights()
  const queryClient = useQueryClient()
  const toast = useToast()
  const applying = useMutation({
    mutationFn: apply,
    onSuccess: () => void toast.add({ title: 'The policy is in force.' }),
    onError: (problem) => void toast.add({ title: 'The policy was not made.', description: errorText(problem) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: listKey }),
  })
  return templates.map(({ id, title, sql }) => (
    <TitledCode
      key={id}
      title={title}
      level={3}
      sql={sql}
      copyLabel={`Copy: ${title}`}
      action={
        isOwner && (
          <Button size="small" disabled={applying.isPending || isOutdated} onClick={() => applying.mutate(id)}>
            Run
          </Button>
        )
      }
    />
  ))
}
