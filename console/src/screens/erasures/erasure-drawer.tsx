import { certificateUrl } from '../../lib/api/privacy.ts'
import type { Erasure } from '../../lib/api/schemas.ts'
import { buttonClasses } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Count, Time } from '../../ui/time.tsx'
import { ErasureState } from './erasures-view.tsx'
import { leftReason } from './left-reason.ts'

interface ErasureDrawerProps {
  /** Nothing is open without it. */
  readonly id: string | undefined
  /** Whether the list is there. */
  readonly isLoaded: boolean
  readonly erasure: Erasure | undefined
  readonly onClose: () => void
}

/** An erasure opened in place: how far it is, what went from where, what is left, its certificate. */
export function ErasureDrawer({ id, isLoaded, erasure, onClose }: ErasureDrawerProps) {
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      title={`Erasure ${id?.slice(0, 8) ?? ''}`}
      actions={
        erasure?.state === 'done' && (
          <a href={certificateUrl(erasure.id)} download className={buttonClasses()}>
            Certificate
          </a>
        )
      }
    >
      {erasure ? (
        <OpenErasure erasure={erasure} />
      ) : isLoaded ? (
        <p className="p-4 text-ink-2">This erasure is not among the latest hundred.</p>
      ) : (
        <SkeletonRows rows={6} />
      )}
    </Drawer>
  )
}

function OpenErasure({ erasure }: { readonly erasure: Erasure }) {
  const { state, steps, stepsDone, store, error, createdAt, createdBy, endedAt, refuses, backups } = erasure
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <div role="status" className="grid gap-2">
        <ErasureState erasure={erasure} />
        {state !== 'done' && (
          <>
            <Progress label="Progress" max={Math.max(steps, 1)} value={stepsDone} />
            <p className="text-ink-2">
              {store === null ? 'Each store is looked at twice.' : `At work on ${store}.`} It goes on when you leave.
            </p>
          </>
        )}
        {error !== null && <p className="wrap-anywhere text-warn">{error}</p>}
      </div>
      <Facts>
        <Fact name="Asked for">
          <Time at={createdAt} look="clock" /> by {createdBy}
        </Fact>
        {endedAt !== null && (
          <Fact name="Done">
            <Time at={endedAt} look="clock" />
          </Fact>
        )}
        <Fact name="The future">{refuses ? 'refused: nothing more is stored of the ids' : 'not refused'}</Fact>
        {backups !== null && (
          <Fact name="Backups">
            {backups.count === 0 ? (
              'none held them'
            ) : (
              <>
                {backups.count} from before
                {backups.until !== null && (
                  <>
                    , until <Time at={backups.until} look="clock" /> at the latest
                  </>
                )}
              </>
            )}
          </Fact>
        )}
      </Facts>
      <Left erasure={erasure} />
      <Stores erasure={erasure} />
    </div>
  )
}

function Left({ erasure: { left } }: { readonly erasure: Erasure }) {
  if (left === null) return null
  if (left.length === 0) return <p>A search of every table for their ids, addresses and names found nothing.</p>
  return (
    <section className="grid gap-1">
      <h2 className="font-semibold">Names are left in</h2>
      <p className="text-ink-2">
        The search found them where an erasure does not reach. Once that is changed, erase again where the person is
        still known.
      </p>
      <ul>
        {left.map(({ table, rows }) => (
          <li key={table} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-line border-b py-1">
            <span className="mono wrap-anywhere">{table}</span>
            <Count value={rows} />
            <span className="text-ink-2 text-sm">{leftReason(table)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Stores({ erasure: { stores, tables } }: { readonly erasure: Erasure }) {
  const touched = stores.filter(({ removed, rewritten }) => removed + rewritten > 0)
  if (touched.length + tables.length === 0) return null
  return (
    <table className="w-full">
      <caption className="pb-1 text-left font-semibold">What went</caption>
      <thead className="text-ink-2 text-sm">
        <tr>
          <th className="py-1 text-left font-normal">Store</th>
          <th className="w-24 py-1 text-right font-normal">Removed</th>
          <th className="w-32 py-1 text-right font-normal">Names replaced</th>
        </tr>
      </thead>
      <tbody>
        {tables.map(({ table, column, action, rows }) => (
          <tr key={`${table}.${column}.${action}`} className="border-line border-t">
            <td className="mono wrap-anywhere py-1">
              {table}.{column}
            </td>
            <td className="py-1 text-right">{action === 'delete' && <Count value={rows} />}</td>
            <td className="py-1 text-right">{action === 'set null' && <Count value={rows} />}</td>
          </tr>
        ))}
        {touched.map(({ store, removed, rewritten }) => (
          <tr key={store} className="border-line border-t">
            <td className="py-1">{store}</td>
            <td className="py-1 text-right">{removed > 0 && <Count value={removed} />}</td>
            <td className="py-1 text-right">{rewritten > 0 && <Count value={rewritten} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
