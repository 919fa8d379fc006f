(() => {
  const form = document.getElementById("filters");
  if (!form) return;
  const rows = JSON.parse(document.getElementById("data").textContent);
  const asked = () => Object.fromEntries(new FormData(form));
  const show = () => {
    const { verdict, aspect } = asked();
    let shown = 0;
    for (const row of rows) {
      const fits = (!verdict || row.verdict === verdict) && (!aspect || row.aspects.includes(aspect));
      document.getElementById(`s-${row.id}`).hidden = !fits;
      shown += fits;
    }
    form.querySelector("output").textContent = `${shown} de ${rows.length}`;
  };
  const read = () => {
    const hash = location.hash.slice(1);
    const target = hash.startsWith("s-") && document.getElementById(hash);
    if (target) {
      form.reset();
      show();
      target.open = true;
      target.scrollIntoView();
      return;
    }
    const values = new URLSearchParams(hash);
    for (const name of ["verdict", "aspect"]) form.elements[name].value = values.get(name) ?? "";
    show();
  };
  form.addEventListener("change", () => {
    const values = Object.entries(asked()).filter(([, value]) => value);
    history.replaceState(null, "", `#${new URLSearchParams(values)}`);
    show();
  });
  addEventListener("hashchange", read);
  form.hidden = false;
  read();
})();
