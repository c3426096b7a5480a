import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'
import { copyText } from './copy-text.ts'

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
        copyText(text).then(
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
