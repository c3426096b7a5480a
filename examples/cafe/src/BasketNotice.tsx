import { Link } from 'react-router'
import { euros, type Line } from './clients'

/** What is in the basket, at the foot of the menu; what was added last is said by screen readers, too. */
export function BasketNotice({ lines, added }: { lines: Line[]; added: string }) {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const total = lines.reduce((sum, { product, quantity }) => sum + product.price_cents * quantity, 0)
  return (
    <aside className="notice" aria-label="Your basket" hidden={count === 0}>
      <p role="status">
        {/* The key draws the words anew, which plays their animation at each product that is added. */}
        <span key={count}>
          {added && <b>{added} added. </b>}
          {count} in your basket, {euros(total)}
        </span>
      </p>
      <Link className="primary" to="/basket">
        See basket
      </Link>
    </aside>
  )
}
