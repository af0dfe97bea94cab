# Draws a bar chart as an SVG with awk.
printf '%s\n' "alpha 34" "beta 58" "gamma 21" "delta 47" |
  awk 'BEGIN { print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"420\" height=\"170\" font-family=\"sans-serif\" font-size=\"13\">" }
       { y = NR * 36 - 20
         printf "<text x=\"10\" y=\"%d\" fill=\"#64748b\">%s</text>", y + 17, $1
         printf "<rect x=\"70\" y=\"%d\" width=\"%d\" height=\"24\" rx=\"4\" fill=\"#0f766e\"/>\n", y, $2 * 5 }
       END { print "</svg>" }' > bars.svg
echo "bars.svg written"
