package dev.caisson.json;

import java.math.BigDecimal;
import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.util.JsonParserDelegate;

/// JSON number parser without loss. One that a double would change is read as a decimal; every
/// other one as a double, which is smaller and quicker.
final class ExactNumbers extends JsonParserDelegate {
    ExactNumbers(JsonParser parser) {
        super(parser);
    }

    @Override
    public NumberTypeFP getNumberTypeFP() {
        return isExact(delegate.getDoubleValue())
                ? NumberTypeFP.DOUBLE64
                : NumberTypeFP.BIG_DECIMAL;
    }

    /// Whether the double is written as what was read: the shortest decimal that means it.
    private boolean isExact(double value) {
        return Double.isFinite(value)
                && new BigDecimal(Double.toString(value)).compareTo(getDecimalValue()) == 0;
    }

    /// @throws StreamReadException when its exponent is more than a decimal can have
    @Override
    public BigDecimal getDecimalValue() {
        try {
            return delegate.getDecimalValue();
        } catch (NumberFormatException endless) {
            throw new StreamReadException(delegate, "a number has too large an exponent", endless);
        }
    }
}
