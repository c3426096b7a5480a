/** The ball of thread. */
export function ClewMark({ size = 18 }: { readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="var(--thread)"
      strokeWidth="1.6"
      strokeLinecap="round"
      className="shrink-0"
    >
      <circle cx="8" cy="8" r="6.2" />
      <path d="M3 5.5c3-1.6 7-1.6 10 .6M2.2 9.3c3.4-2 8-1.7 11.5.7M5 13c2.3-1.4 5-1.2 7.2.2M12.6 12.4c1.4.8 2.4 2 2.9 4" />
    </svg>
  )
}
