import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'

interface CopyButtonProps {
  readonly text: string
  /** What is copied, for screen readers. */
  readonly label: string
  readonly look?: ButtonLook
  /** Drawn beside the icon; without it the button is the icon alone. */
  readonly children?: ReactNode
}

const shownMs = 1500

/** Copies a text and says so. */
export function CopyButton({ text, label, look = 'bare', children }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [copied])
  const Icon = copied ? Check : Copy
  return (
    <Button
      look={look}
      size={children ? 'normal' : 'icon'}
      aria-label={copied ? 'Copied' : label}
      title={label}
      onClick={() => {
        copy(text).then(
          () => setCopied(true),
          () => setCopied(false),
        )
      }}
    >
      <Icon aria-hidden="true" className="size-3.5" />
      {children && (copied ? 'Copied' : children)}
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </Button>
  )
}

/** The clipboard needs a secure page; on plain HTTP from another machine the old way still works. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('The browser refused to copy.')
}
