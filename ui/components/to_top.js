// A page that comes to show something else begins at its top again: Streamlit leaves it where it was scrolled to,
// also where it comes from another page.
let shown;

export default function ({ data }) {
  if (shown !== data.moment)
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
  shown = data.moment;
}
