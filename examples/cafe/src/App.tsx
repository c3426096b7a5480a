import type { User } from '@supabase/supabase-js'
import { useEffect, useState } from 'react'
import { NavLink, Route, Routes } from 'react-router'
import { type Line, type Product, supabase } from './clients'
import { Admin } from './pages/Admin'
import { Basket } from './pages/Basket'
import { Counter } from './pages/Counter'
import { Invoices } from './pages/Invoices'
import { Menu } from './pages/Menu'
import { Orders } from './pages/Orders'
import { SignIn } from './pages/SignIn'

export function App() {
  const [user, setUser] = useState<User | null>(null)
  const [lines, setLines] = useState<Line[]>([])

  useEffect(() => {
    const { data } = supabase.auth.onAuthStateChange((_event, session) => setUser(session?.user ?? null))
    return () => data.subscription.unsubscribe()
  }, [])

  function add(product: Product, change = 1) {
    setLines((before) => {
      const found = before.find((line) => line.product.id === product.id)
      if (!found) return [...before, { product, quantity: change }]
      return before
        .map((line) => (line === found ? { ...line, quantity: line.quantity + change } : line))
        .filter((line) => line.quantity > 0)
    })
  }

  const count = lines.reduce((sum, line) => sum + line.quantity, 0)
  const isStaff = user?.app_metadata.role === 'staff'

  return (
    <>
      <header className="top">
        <NavLink to="/" className="brand">
          Corner Café
        </NavLink>
        <nav>
          <NavLink to="/">Menu</NavLink>
          {user && <NavLink to="/orders">My orders</NavLink>}
          {user && <NavLink to="/invoices">My invoices</NavLink>}
          {isStaff && <NavLink to="/counter">Counter</NavLink>}
          {isStaff && <NavLink to="/admin">Prices</NavLink>}
        </nav>
        <div className="right">
          {user ? (
            <>
              <span className="who">{user.user_metadata.name ?? user.email}</span>
              <button type="button" className="quiet" onClick={() => supabase.auth.signOut()}>
                Sign out
              </button>
            </>
          ) : (
            <NavLink to="/sign-in">Sign in</NavLink>
          )}
          <NavLink to="/basket" className="basket">
            Basket{count > 0 && <b>{count}</b>}
          </NavLink>
        </div>
      </header>
      <main>
        <Routes>
          <Route path="/" element={<Menu lines={lines} onAdd={add} />} />
          <Route
            path="/basket"
            element={<Basket user={user} lines={lines} onAdd={add} onOrdered={() => setLines([])} />}
          />
          <Route path="/orders" element={user && <Orders user={user} onAdd={add} />} />
          <Route path="/counter" element={user && <Counter user={user} />} />
          <Route path="/invoices" element={<Invoices />} />
          <Route path="/admin" element={<Admin />} />
          <Route path="/sign-in" element={<SignIn />} />
          <Route path="*" element={<p className="empty">There is nothing at this table.</p>} />
        </Routes>
      </main>
      <footer>Rua do Poço 14 · open until six</footer>
    </>
  )
}
