package dev.mailroom.domain;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RampTest {

	@Test
	void eachDayPermitsHalfAsManyMoreUntilTheLimitEnds() {
		List<Long> allowances = new Ramp(200, 1.5, 100_000).allowances();
		assertThat(allowances).startsWith(200L, 300L, 450L, 675L, 1013L).hasSize(16).isSorted();
		assertThat(allowances.getLast()).isEqualTo(87_579);
	}

	@Test
	void theBoundItselfIsTheLimitOfADay() {
		assertThat(new Ramp(100, 10, 10_000).allowances()).containsExactly(100L, 1000L, 10_000L);
		assertThat(new Ramp(100, 2, 100).allowances()).containsExactly(100L);
	}

	@Test
	void theSlowestRampEnds() {
		assertThat(new Ramp(1, 1.1, 100_000_000).allowances()).hasSizeLessThan(200).isSorted();
	}

	@Test
	void settingsThatDoNotGrowOrNeverEndAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Ramp(0, 1.5, 100));
		assertThatIllegalArgumentException().isThrownBy(() -> new Ramp(200, 1.5, 100));
		assertThatIllegalArgumentException().isThrownBy(() -> new Ramp(200, 1.5, Long.MAX_VALUE));
		for (double growth : new double[] { 1, 0.5, 11, Double.NaN }) {
			assertThatIllegalArgumentException().isThrownBy(() -> new Ramp(200, growth, 100_000));
		}
	}

}
