// Copies the address of the page, which holds every choice. Where the clipboard is refused, the address is shown selected.
export default function ({ parentElement }) {
  const [button, told, shown] = ["button", "span", "input"].map((name) => parentElement.querySelector(name));
  button.onclick = async () => {
    const address = window.location.href;
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
