import type { HeatmapElement } from '../../../lib/api/schemas.ts'

/** The elements of a page that were clicked, the most clicked first. */
export function Elements({ elements }: { readonly elements: readonly HeatmapElement[] }) {
  const most = Math.max(1, ...elements.map(({ clicks }) => clicks))
  return (
    <section aria-labelledby="heat-elements" className="grid gap-2 p-4">
      <h2 id="heat-elements" className="font-semibold">
        Elements
      </h2>
      {elements.length === 0 ? (
        <p className="text-ink-2">
          No click of this kind on an element was captured here. Elements are known of clicks that browsers capture by
          themselves.
        </p>
      ) : (
        <ol className="grid gap-2">
          {elements.map(({ label, path, clicks, visitors }, index) => (
            // Two places of a page may have one label and one path.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is drawn anew as a whole
            <li key={index} className="grid gap-0.5">
              <span className="flex items-baseline justify-between gap-3">
                <span className="wrap-anywhere min-w-0">{label ?? <span className="text-ink-2">no text</span>}</span>
                <span className="tabular shrink-0" title={`${visitors} visitors`}>
                  {clicks.toLocaleString('en')}
                </span>
              </span>
              <span className="mono truncate text-ink-2 text-sm" title={path}>
                {path}
              </span>
              <span aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-sunken">
                <span className="block h-full rounded-full bg-ink-2" style={{ width: `${(clicks / most) * 100}%` }} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
