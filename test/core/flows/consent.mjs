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

/**
 * Signs in at the provider as `login` and consents.
 *
 * @returns the URL to which the provider redirects
 */
export async function consent(start, { issuer, login = 'ada', declines = false }) {
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
  let url = new URL(start)
  for (let hops = 0; hops < 12; hops++) {
    if (url.origin !== issuer) return url.href
    let response = await send(url)
    if (response.status === 200) {
      const prompt = /name="prompt" value="(\w+)"/.exec(await response.text())?.[1]
      response = declines
        ? await send(new URL(`${url.href}/abort`))
        : await send(url, 'POST', { prompt, login, password: 'any' })
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`The provider answered with ${response.status}.`)
    url = new URL(location, url)
  }
  throw new Error('The provider does not redirect back.')
}
