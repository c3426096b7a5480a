import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import type { RootKeys } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { ProvenAction } from './proven-action.tsx'
import { rootKeysQuery } from './queries.ts'

type RootKey = RootKeys['rootKeys'][number]

/** Root keys, what is kept under each, and the end of earlier ones. @param children the rotation */
export function RootKeyCard({ children }: { readonly children: ReactNode }) {
  const { data, error, refetch } = useQuery(rootKeysQuery)
  return (
    <Card
      title="Root key"
      about="The keys of operators’ passwords and tokens, of sealed secrets and of the vault are derived from it. It is in keys.json, and sealed in backups."
    >
      {error && !data && <ErrorProblem error={error} onRetry={refetch} />}
      {!error && data === undefined && <SkeletonRows />}
      {data !== undefined && (
        <ul aria-label="Root keys" className="grid divide-y divide-line">
          {data.rootKeys.map((rootKey) => (
            <RootKeyRow key={rootKey.id} rootKey={rootKey} />
          ))}
          {data.lost.length > 0 && <LostRow lost={data.lost} />}
        </ul>
      )}
      {children}
    </Card>
  )
}

function LostRow({ lost }: Pick<RootKeys, 'lost'>) {
  return (
    <li className="grid gap-1 py-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1">Under a root key that is no more</span>
        <Badge tone="danger">lost</Badge>
      </div>
      <p className="text-ink-2 text-sm">
        None of these can be opened or verified. Put the keys.json that has it there, or store them anew; operators are
        to be removed and invited again.
      </p>
      <ul className="text-sm">
        {lost.map((content) => (
          <li key={content.name}>{countOf(content)}</li>
        ))}
      </ul>
    </li>
  )
}

function RootKeyRow({ rootKey }: { readonly rootKey: RootKey }) {
  const { canProtect } = useRights()
  const { id, isCurrent, replacedAt, contents } = rootKey
  return (
    <li className="grid gap-1 py-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="mono min-w-0 flex-1 break-all">{id}</span>
        <Badge tone="quiet">{isCurrent ? 'current' : replacedAt === null ? 'next' : 'earlier'}</Badge>
        {replacedAt !== null && canProtect && <Retire rootKey={rootKey} />}
      </div>
      <p className="text-ink-2 text-sm">
        {replacedAt !== null && (
          <>
            Replaced <Time at={replacedAt} />.{' '}
          </>
        )}
        {contents.length === 0 ? 'Nothing is kept under it.' : 'Kept under it:'}
      </p>
      {contents.length > 0 && (
        <ul className="text-sm">
          {contents.map((content) => (
            <li key={content.name}>{describe(content, isCurrent)}</li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Retire({ rootKey: { id, contents } }: { readonly rootKey: RootKey }) {
  const left = contents.filter(({ moves }) => !moves)
  return (
    <ProvenAction
      label="Retire"
      title={`Retire the root key ${id}?`}
      run={() => api.retireRootKey(id, left.length > 0)}
    >
      {left.length === 0
        ? 'Nothing needs it any more.'
        : `What has not been used since ends: ${left.map((content) => describe(content, true)).join(', ')}. Those operators are to be invited again, and tokens made anew.`}{' '}
      The S3 access key and the webhooks’ secret of it are good no more. It cannot be brought back.
    </ProvenAction>
  )
}

const countOf = ({ name, count }: RootKeys['lost'][number]): string => `${name}: ${count.toLocaleString('en')}`

function describe({ moves, ...content }: RootKey['contents'][number], isCurrent: boolean): string {
  const text = countOf(content)
  if (isCurrent) return text
  return moves ? `${text}, being moved` : `${text}, until they are used`
}
