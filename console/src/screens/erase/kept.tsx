import type { ErasurePreview } from '../../lib/api/schemas.ts'
import { Card } from '../../ui/card.tsx'
import { Count } from '../../ui/time.tsx'

/** What each store keeps of a person. */
export function Kept({ preview: { counts, ids } }: { readonly preview: ErasurePreview }) {
  const found = counts.filter(({ rows }) => rows > 0)
  return (
    <Card
      title="What is kept"
      about={`Under ${ids} ${ids === 1 ? 'id' : 'ids'}. ${counts.length} stores are looked at, each twice.`}
    >
      {found.length === 0 ? (
        <p className="text-ink-2">No store has rows of their own.</p>
      ) : (
        <dl className="grid gap-x-8 gap-y-1 narrow:grid-cols-2">
          {found.map(({ store, rows }) => (
            <div key={store} className="flex items-baseline gap-3 border-line border-b py-1">
              <dt className="min-w-0 flex-1 truncate">{store}</dt>
              <dd>
                <Count value={rows} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}
