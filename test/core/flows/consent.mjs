// The user of a certified OpenID provider.

/** Cookies by name and path: the provider has several of one name, for the pages of each interaction. */
function pathCookies() {
  const cookies = new Map()
  return {
    header: ({ pathname }) =>
      [...cookies.values()]
        .filter(({ path }) => pathname.startsWith(path))
        .map(({ pair }) => pair)
        .join('; '),
    accept(header) {
      const [pair, ...attributes] = header.split('; ')
      const path = attributes.find((each) => each.startsWith('path='))?.slice(5) ?? '/'
      const key = `${pair.split('=')[0]} ${path}`
      if (attributes.some((each) => each.includes('expires=Thu, 01 Jan 1970'))) cookies.delete(key)
      else cookies.set(key, { pair, path })
    },
  }
}

/** A person with a browser of their own, which has a session at the provider after the first sign-in. */
export function person({ issuer, login = 'ada', declines = false }) {
  const cookies = pathCookies()
  const send = async (url, method = 'GET', form) => {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { cookie: cookies.header(url) },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const each of response.headers.getSetCookie()) cookies.accept(each)
    return response
  }
  /** Follows redirects until another site, and lets `answerPage` submit what pages ask. */
  const follow = async (start, answerPage) => {
    let url = new URL(start)
    for (let hops = 0; hops < 12; hops++) {
      if (url.origin !== issuer) return url.href
      let response = await send(url)
      if (response.status === 200) response = await answerPage(url, await response.text())
      const location = response.headers.get('location')
      if (!location) throw new Error(`The provider answered with ${response.status}.`)
      url = new URL(location, url)
    }
    throw new Error('The provider does not redirect back.')
  }
  return {
    /** Signs in and consents; returns the URL to which the provider redirects. */
    consent: (start) =>
      follow(start, (url, page) => {
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
        return declines
          ? send(new URL(`${url.href}/abort`))
          : send(url, 'POST', { prompt, login, password: 'any' })
      }),
    /** Confirms the sign-out at the provider; returns the URL to which it redirects. */
    signOut: (start) =>
      follow(start, (url, page) => {
        const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1]
        const action = /action="([^"]+)"/.exec(page)?.[1]
        return send(new URL(action, url), 'POST', { xsrf, logout: 'yes' })
      }),
    /** Whether a sign-in asks for the password. */
    async isAsked(start) {
      const { headers } = await send(new URL(start))
      return (await (await send(new URL(headers.get('location'), start))).text()).includes(
        'name="password"',
      )
    },
  }
}

/**
 * Signs in at the provider as `login` and consents.
 *
 * @returns the URL to which the provider redirects
 */
export function consent(start, options) {
  return person(options).consent(start)
}
