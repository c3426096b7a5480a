/** Attributes in their order: names, and values as text or JSON. */
export function AttributeList({ attributes }: { readonly attributes: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(attributes)
  if (entries.length === 0) return null
  return (
    <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="wrap-anywhere text-ink-2">{name}</dt>
          <dd className="mono wrap-anywhere whitespace-pre-wrap">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
