// The look that all pages share: light and dark colours, fonts, and a clearly visible focus.
import { html } from './html.ts'

/**
 * Text on `--ground` and `--surface` has a contrast of at least 4.5, and the border of a field at least 3. Paper is always light; dark
 * colours are for screens only.
 */
export const theme = html`:root{color-scheme:light;
--ground:#f4f6f9;--surface:#fff;--text:#16202c;--muted:#4d5966;--line:#dbe1e8;--border:#75808d;
--accent:#0b57d0;--accent-strong:#0842a0;--on-accent:#fff;
--good:#1a7f37;--bad:#b3261e;--bad-ground:#fdf0ef;--note-ground:#fff4d1}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;
--ground:#0e1319;--surface:#182029;--text:#e8edf3;--muted:#a9b4c0;--line:#2f3a46;--border:#7d8997;
--accent:#8ab4f8;--accent-strong:#aecbfa;--on-accent:#0b1d3d;
--good:#7bd893;--bad:#ffa198;--bad-ground:#3a1d1f;--note-ground:#392f13}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:var(--text);background:var(--ground)}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`
