/// How pages look: print-like type on quiet paper, one column with headings in the margin, colours only where
/// they tell something.
enum StyleSheet {
  static let text = """
    :root{color-scheme:light dark;\(Palette.light.declarations)}
    @media (prefers-color-scheme:dark){@media screen{:root{\(Palette.dark.declarations)}}}
    \(page)\(parts)\(pictures)\(tables)\(drawings)\(paper)
    """

  private static let page = """
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.55 var(--serif);
    --serif:"Iowan Old Style","Palatino Linotype",Palatino,"Source Serif 4","Noto Serif",Georgia,"Liberation Serif",serif;
    --sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
    text-rendering:optimizeLegibility;overflow-wrap:break-word}
    main{max-width:1160px;margin:0 auto;padding:0 clamp(18px,4vw,48px) 64px}
    header{padding:52px 0 34px;max-width:56rem}
    h1,h2,h3,p,dl,ul,figure{margin:0}
    h1{font-weight:600;font-size:clamp(1.75rem,1.2rem + 2.3vw,2.9rem);line-height:1.14;letter-spacing:-.012em;text-wrap:balance}
    h2{font-weight:600;font-size:1.32rem;line-height:1.22;letter-spacing:-.004em}
    h3,.pair{font:600 .86rem/1.4 var(--sans)}
    .kicker{font:600 .74rem/1.5 var(--sans);letter-spacing:.09em;text-transform:uppercase;color:var(--quiet);margin-bottom:16px}
    .standfirst{margin-top:18px;font-size:1.14rem;line-height:1.5;color:var(--quiet)}
    main>.pair{margin-bottom:10px}
    section{border-top:1px solid var(--rule);padding:26px 0 44px}
    .margin p{margin-top:10px;font-size:.94rem;line-height:1.5;color:var(--quiet)}
    .content{min-width:0;margin-top:22px}
    .content>*+*{margin-top:26px}
    .content>p{max-width:40rem}
    .content>p+p{margin-top:12px}
    .note,figcaption{font:.8rem/1.5 var(--sans);color:var(--quiet)}
    @media (min-width:960px){
    section{display:grid;grid-template-columns:14.5rem minmax(0,1fr);column-gap:3.5rem}
    .content{margin-top:4px}
    }

    """

  private static let parts = """
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,11rem),1fr));border-top:3px solid var(--ink);margin-bottom:44px}
    .figures>div{display:flex;flex-direction:column-reverse;justify-content:flex-end;padding:14px 18px 0 0}
    .figures dt{font:.82rem/1.45 var(--sans);color:var(--quiet);margin-top:4px}
    .figures dd{margin:0;font-size:2.15rem;line-height:1.15;letter-spacing:-.01em;font-variant-numeric:lining-nums}
    .warning{background:var(--alarmPaper);border-left:4px solid var(--alarm);padding:16px 20px 18px}
    .warning h3{font:600 1.12rem/1.35 var(--serif);color:var(--alarm)}
    .warning .key{color:var(--ink)}
    .warning p{margin-top:8px;max-width:42rem}
    .facts{font:.84rem/1.5 var(--sans)}
    .facts>div{display:grid;grid-template-columns:minmax(7rem,11rem) minmax(0,1fr);gap:4px 18px;padding:6px 0;border-top:1px solid var(--grid)}
    .facts>div:first-child{border-top:0}
    .facts dt{color:var(--quiet)}
    .facts dd{margin:0;overflow-wrap:anywhere}
    .columns{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr));gap:30px 36px}
    figcaption{margin-top:8px;max-width:40rem}
    figure>h3{margin-bottom:10px}
    .gallery{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,228px),1fr));gap:22px 26px}
    .gallery li{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 12px;font:.8rem/1.45 var(--sans);align-content:start}
    .gallery img,.gallery .blank{width:96px;height:96px;object-fit:contain;background:var(--panel);display:grid;place-content:center;text-align:center;color:var(--quiet)}
    .gallery p{overflow-wrap:anywhere}
    .gallery p+p{margin-top:3px}
    .gallery .truth{font-weight:600}
    .gallery .path{grid-column:1/-1;margin-top:5px;color:var(--quiet);font-size:.74rem}
    .right::before,.wrong::before{display:inline-block;width:1.25em;font-weight:700}
    .right::before{content:"✓";color:var(--third)}
    .wrong::before{content:"✗";color:var(--alarm)}
    .letter{font-weight:700}
    .score{color:var(--quiet);white-space:nowrap}
    .spoken{position:absolute;margin:-1px;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    .gallery .text{display:block;grid-column:1/-1}
    .gallery blockquote{margin:0 0 6px;font:1rem/1.5 var(--serif)}
    .key{display:inline-block;max-width:100%;font-weight:600}
    .key::before{content:"";display:inline-block;width:.62em;height:.62em;margin-right:.45em;background:currentColor}
    details{border-top:1px solid var(--grid);padding-top:10px}
    summary{font:600 .86rem/1.5 var(--sans);cursor:pointer}
    details>*+*{margin-top:18px}
    .s0{color:var(--first)}.s1{color:var(--second)}.s2{color:var(--third)}.s3{color:var(--fourth)}

    """

  private static let pictures = """
    .pictures{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,14rem),1fr));gap:34px 28px}
    .pictures>li{min-width:0;font:.82rem/1.45 var(--sans);content-visibility:auto;contain-intrinsic-size:auto 18rem}
    .pictures img,.pictures .blank{display:block;width:100%;height:11.5rem;object-fit:contain;background:var(--panel)}
    .pictures .blank{display:grid;place-content:center;color:var(--quiet)}
    .pictures h3{margin-top:7px;font:.76rem/1.4 var(--sans);color:var(--quiet);overflow-wrap:anywhere}
    .pictures .remark{font-weight:600;color:var(--second)}
    .pictures ol{list-style:none;margin:5px 0 0;padding:0}
    .pictures ol li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:2px 12px;padding:4px 0 3px;overflow-wrap:anywhere}
    .pictures ol li:first-child{font-weight:600}
    .pictures .number{font-variant-numeric:tabular-nums lining-nums;white-space:nowrap}
    .bar{grid-column:1/-1;height:6px;background:var(--grid)}
    .bar span{display:block;height:100%;background:var(--first)}
    .uncertain .bar span{background:var(--second)}

    """

  private static let tables = """
    .scroll{position:relative;overflow-x:auto;overscroll-behavior-x:contain}
    table{border-collapse:collapse;font:.84rem/1.4 var(--sans);font-variant-numeric:tabular-nums lining-nums;min-width:100%}
    caption{text-align:left;font-weight:600;font-size:.86rem;padding-bottom:8px}
    th,td{padding:6px 14px 6px 0;text-align:left;vertical-align:top;border-top:1px solid var(--grid)}
    th:last-child,td:last-child{padding-right:0}
    thead>tr>*{border-top:0;border-bottom:1px solid var(--ink);vertical-align:bottom;font-weight:600}
    tbody tr:first-child>*{border-top:0}
    tbody th{font-weight:400}
    .text{min-width:6.5rem}
    .number{text-align:right}
    tbody .number{white-space:nowrap}
    thead .key{overflow-wrap:anywhere}
    @media screen and (max-width:719px){
    th,td{padding-right:9px}
    thead .name{position:absolute;margin:-1px;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    .number small{white-space:normal}
    .stacked,.stacked caption,.stacked thead,.stacked tbody{display:block}
    .stacked tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(6.3rem,1fr));gap:4px 10px;padding:8px 0;border-top:1px solid var(--grid)}
    .stacked tr>*{padding:0;border:0;min-width:0;overflow-wrap:anywhere}
    .stacked tr>:first-child{grid-column:1/-1}
    .stacked thead tr{padding-top:0;border-top:0;border-bottom:1px solid var(--ink)}
    .stacked tbody tr:first-child{border-top:0}
    .stacked td::before{content:attr(data-head);display:block;color:var(--quiet);font-size:.76rem}
    }
    th button{all:unset;cursor:pointer;text-decoration:underline dotted var(--quiet);text-underline-offset:.2em}
    th button:focus-visible{outline:2px solid currentColor;outline-offset:-1px}
    [aria-sort] button::after{content:"\\00a0↑"}
    [aria-sort=descending] button::after{content:"\\00a0↓"}
    td small,th small,dd small{display:block;color:var(--quiet);font-size:.76rem}

    """

  private static let drawings = """
    svg{display:block;max-width:100%;height:auto;overflow:visible;font:12px var(--sans);font-variant-numeric:tabular-nums lining-nums}
    svg text{fill:var(--ink)}
    svg .tick{fill:var(--quiet);font-size:11px}
    svg .name{fill:var(--quiet);font-size:11.5px}
    svg .strong{font-weight:600;font-size:12.5px}
    svg .rank{fill:currentColor;font-size:11px;font-weight:600}
    svg .cell{font-size:11px}
    svg .cell.light{fill:var(--paper)}
    .fill{fill:currentColor}
    .tint{fill:currentColor;fill-opacity:.16}
    .half{fill-opacity:.5}
    .stroke{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
    .thin{stroke-width:1.4}
    .dashed{stroke-dasharray:5 4}
    .median{stroke:currentColor;stroke-width:1.4;stroke-dasharray:2 2}
    .interval{stroke:currentColor;stroke-width:2.4}
    .muted{color:var(--quiet)}
    .whisker-edge{stroke:var(--paper);stroke-width:4;stroke-opacity:.75}
    .whisker{stroke:var(--ink);stroke-width:1.5}
    .link{stroke:var(--rule);stroke-width:3}
    .grid{stroke:var(--grid);stroke-width:1}
    .axis,.zero{stroke:var(--quiet);stroke-width:1}
    .zero{stroke:var(--ink)}
    .diagonal{stroke:var(--quiet);stroke-width:1;stroke-dasharray:4 4}
    .ceiling{stroke:var(--ink);stroke-width:1.6}
    .exact{fill:var(--grid)}
    .cells{fill:var(--panel)}
    \((0...10).map { ".d\($0){fill-opacity:\(Double($0) / 10)}" }.joined())
    .narrow{display:none}
    @media screen and (max-width:719px){.wide{display:none}.narrow{display:block}}

    """

  private static let paper = """
    @media print{
    body{font-size:10.5pt}
    main{max-width:none;padding:0}
    header{padding-top:0}
    section{display:block}
    h2,h3{break-after:avoid}
    .margin{break-after:avoid}
    figure,table,.gallery li,.pictures>li,.warning,.figures{break-inside:avoid}
    .scroll{overflow:visible}
    th button{text-decoration:none}
    .pictures>li{content-visibility:visible}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    }
    """
}
