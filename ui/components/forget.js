// Forgets what coins did in this tab: whoever uses the device next may look into its storage.

export default function () {
  try {
    for (const place of Object.keys(sessionStorage)) if (place.startsWith("riskline-coins-")) sessionStorage.removeItem(place);
  } catch { /* storage is closed to us: nothing was kept */ }
}
