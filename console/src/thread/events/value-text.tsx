/** A value of a property on one line; texts as they are, all else as JSON. */
export function ValueText({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === '') return <span className="text-ink-2">empty text</span>
  return (
    <span className="mono" title={text}>
      {text}
    </span>
  )
}
