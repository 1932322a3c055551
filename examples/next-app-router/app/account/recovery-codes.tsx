/** They are shown once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div role="status">
      <p>
        <strong>Store these recovery codes.</strong> Each replaces the app once, and they are not
        shown again.
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a href="/account">I have stored them</a>
      </p>
    </div>
  )
}
