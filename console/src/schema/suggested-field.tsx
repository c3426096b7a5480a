import { type ComponentProps, useId } from 'react'
import { Field } from '../ui/field.tsx'

interface SuggestedFieldProps extends ComponentProps<typeof Field> {
  readonly suggestions: readonly string[]
}

/** A line of text with what is often written there. */
export function SuggestedField({ suggestions, ...field }: SuggestedFieldProps) {
  const id = useId()
  return (
    <>
      <Field list={id} {...field} />
      <datalist id={id}>
        {suggestions.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  )
}
