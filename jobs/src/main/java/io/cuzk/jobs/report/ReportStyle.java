package io.cuzk.jobs.report;

/** The page's style: one column that a phone shows without zooming, light or dark as it likes. */
final class ReportStyle {
  static final String CSS =
      """
      :root{--ink:#1c2430;--soft:#5d6b7c;--paper:#fff;--line:#dde3ea;--tint:#f4f6f9}
      @media(prefers-color-scheme:dark){:root{--ink:#e6ebf2;--soft:#9aa7b8;--paper:#141a22;--line:#2c3643;--tint:#1c242f}}
      *{box-sizing:border-box}
      body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:62rem;margin:0 auto;padding:1rem}
      h1{font-size:1.35rem;margin:.2rem 0;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:2rem 0 .4rem}
      p{margin:.3rem 0 .7rem;color:var(--soft)}small{color:var(--soft);font-size:.8rem}
      .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.5rem;margin:1rem 0}
      .card{background:var(--tint);border-radius:.5rem;padding:.6rem .8rem}
      .card b{display:block;font-size:1.3rem}.card span{color:var(--soft);font-size:.85rem}
      .bad b,p.bad{color:#c0392b}p.note{border-left:3px solid #d9a30d;padding-left:.6rem}
      .rows{display:grid;grid-template-columns:auto minmax(4rem,1fr) auto;gap:.25rem .6rem;align-items:center;margin-bottom:1.2rem}
      .label{font-size:.9rem;overflow-wrap:anywhere}.nested{padding-left:1rem}
      .value{font-size:.9rem;text-align:right;font-variant-numeric:tabular-nums}.value small{display:inline-block}
      .strip{display:block;width:100%;background:var(--tint)}.tick{fill:var(--soft);opacity:.35}
      #timeline .strip{background:var(--paper);outline:1px solid var(--line)}
      .lane{margin:.5rem 0}.axis{display:flex;justify-content:space-between;font-size:.8rem;color:var(--soft)}
      .legend{display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:.85rem}
      .legend i{display:inline-block;width:.8rem;height:.8rem;border-radius:2px;margin-right:.3rem;vertical-align:-1px}
      .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}
      th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
      th{color:var(--soft);font-weight:600}.t{text-align:left;min-width:6rem}
      .n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
      details{margin:2rem 0}summary{cursor:pointer;font-weight:600}
      @media(max-width:36rem){.rows{grid-template-columns:auto 1fr;grid-auto-flow:dense;gap:.1rem .4rem}
      .rows>div:nth-child(3n+2){grid-column:1/-1;margin-bottom:.35rem}.rows .label{white-space:nowrap}.value small{font-size:.72rem}}
      """;

  private ReportStyle() {}
}
