import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IssueSummary, RequestSummary, SlowStatement } from '../../lib/api/schemas.ts'
import { plainSql } from '../../thread/sql/plain-sql.ts'
import { Duration, Time } from '../../ui/time.tsx'

interface AttentionProps {
  /** Each absent while it is on its way, or not shown to this operator. */
  readonly errors: readonly IssueSummary[] | undefined
  readonly slow: readonly SlowStatement[] | undefined
  readonly empty: readonly RequestSummary[] | undefined
}

/** What may need a look: the newest errors, what is slow, and answers without a row. */
export function Attention({ errors, slow, empty }: AttentionProps) {
  return (
    <div className="grid grid-cols-3 gap-x-6 gap-y-4 max-wide:grid-cols-[minmax(0,1fr)]">
      <List title="Newest errors" none="No open errors." all={<Link to="/errors">All</Link>} items={errors}>
        {({ id, title, culprit, lastSeenAt }) => (
          <Line
            key={id}
            link={
              <Link
                to="/errors/$id"
                params={{ id }}
                title={`${title}\n${culprit}`}
                className="truncate hover:underline"
              >
                {title}
              </Link>
            }
            fact={<Time at={lastSeenAt} />}
          />
        )}
      </List>
      <List
        title="Slow statements"
        none="No statements in the last day."
        all={
          <Link to="/requests/slow" search={{ order: 'p95' }}>
            All
          </Link>
        }
        items={slow}
      >
        {({ fingerprint, text, p95Ms }) => {
          const plain = plainSql(text).replaceAll(/\s+/g, ' ')
          return (
            <Line
              key={fingerprint}
              link={
                <Link
                  to="/requests/slow"
                  search={{ order: 'p95', open: fingerprint }}
                  title={plain}
                  className="mono truncate hover:underline"
                >
                  {plain}
                </Link>
              }
              fact={<Duration ms={p95Ms} />}
            />
          )
        }}
      </List>
      <List
        title="Empty answers"
        none="Each answer of the last day had rows."
        all={
          <Link to="/requests" search={{ empty: true }}>
            All
          </Link>
        }
        items={empty}
      >
        {({ id, path, at }) => (
          <Line
            key={id}
            link={
              <Link to="/requests/$id" params={{ id }} title={path} className="mono truncate hover:underline">
                {path}
              </Link>
            }
            fact={<Time at={at} />}
          />
        )}
      </List>
    </div>
  )
}

interface ListProps<Item> {
  readonly title: string
  readonly none: string
  readonly all: ReactNode
  readonly items: readonly Item[] | undefined
  readonly children: (item: Item) => ReactNode
}

function List<Item>({ title, none, all, items, children }: ListProps<Item>) {
  return (
    <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] content-start gap-1">
      <h3 className="flex items-baseline justify-between text-sm">
        <span className="font-medium">{title}</span>
        <span className="text-ink-2 hover:[&>a]:text-ink">{all}</span>
      </h3>
      {items === undefined ? (
        <div className="h-6 animate-pulse rounded-control bg-sunken" />
      ) : items.length === 0 ? (
        <p className="text-ink-2">{none}</p>
      ) : (
        <ul>{items.map(children)}</ul>
      )}
    </section>
  )
}

function Line({ link, fact }: { readonly link: ReactNode; readonly fact: ReactNode }) {
  return (
    <li className="flex h-6.5 items-center justify-between gap-3">
      {link}
      <span className="shrink-0 text-ink-2">{fact}</span>
    </li>
  )
}
