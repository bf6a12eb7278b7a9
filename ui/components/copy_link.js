// Copies the address of the page, which holds every choice but a key. Where the clipboard is refused, the address is shown selected.
export default function ({ parentElement, data }) {
  const [button, told, shown] = ["button", "span", "input"].map((name) => parentElement.querySelector(name));
  button.onclick = async () => {
    const here = new URL(window.location.href);
    for (const name of data.left_out) here.searchParams.delete(name);
    const address = here.href;
    shown.hidden = true;
    told.textContent = "";
    try {
      await navigator.clipboard.writeText(address);
      told.textContent = "Copied";
    } catch {
      shown.value = address;
      shown.hidden = false;
      shown.focus();
      shown.select();
      told.textContent = "Copy it from the box";
    }
  };
}
