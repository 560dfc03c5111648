package dev.mailroom.source;

import java.time.LocalDate;
import java.util.List;

import dev.mailroom.source.SourceWarmup.Day;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The allowance of a warm-up from one sending day to the next. */
class SourceWarmupTest {

	private static final LocalDate TODAY = LocalDate.of(2026, 11, 28);

	private final SourceWarmup warmup = new SourceWarmup("one", List.of(50L, 75L, 113L, 169L), SourceWarmup.OTHERS);

	@Test
	void theUsualPlansGrowToFiftyThousand() {
		assertThat(SourceWarmup.LARGE).hasSize(20).startsWith(50L, 75L, 113L).endsWith(50_000L, 50_000L);
		assertThat(SourceWarmup.OTHERS).hasSize(10).startsWith(200L, 400L).endsWith(50_000L, 50_000L);
		assertThat(this.warmup.first("gmail", TODAY).allowance()).isEqualTo(50);
		assertThat(this.warmup.first("other", TODAY).allowance()).isEqualTo(200);
		assertThat(SourceWarmup.provider("outlook")).isEqualTo("microsoft");
		assertThat(SourceWarmup.provider("own")).isEqualTo("other");
	}

	@Test
	void aGoodDayPermitsMoreAndAfterTheLastOneThereIsNoLimit() {
		Day second = this.warmup.after(day(1, 50, 50, 0, 5), TODAY);
		assertThat(second.allowance()).isEqualTo(75);
		assertThat(second.held()).isEmpty();
		assertThat(this.warmup.after(day(4, 169, 169, 0, 0), TODAY).allowance()).isEqualTo(Long.MAX_VALUE);
		assertThat(this.warmup.after(day(5, Long.MAX_VALUE, 900, 0, 0), TODAY).allowance()).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void twoPercentBlockedRepeatTheStepAndMoreHalveIt() {
		Day repeated = this.warmup.after(day(4, 169, 100, 2, 0), TODAY);
		assertThat(repeated.step()).isEqualTo(4);
		assertThat(repeated.held()).contains("2 of 100 attempts were blocked");
		assertThat(this.warmup.after(day(4, 169, 100, 6, 0), TODAY).allowance()).as("at most half of 169")
			.isEqualTo(75);
		assertThat(this.warmup.after(day(1, 50, 50, 10, 0), TODAY).allowance()).isEqualTo(50);
		assertThat(this.warmup.after(day(2, 75, 100, 0, 11), TODAY).held()).contains("deferred by policy");
		assertThat(this.warmup.after(day(2, 75, 49, 49, 0), TODAY).step()).as("too few to say anything").isEqualTo(3);
	}

	@Test
	void moreThanThreeComplaintsInAThousandRepeatTheStep() {
		assertThat(complained(1000, 3).step()).as("0.3 %").isEqualTo(3);
		Day repeated = complained(1000, 4);
		assertThat(repeated.step()).isEqualTo(2);
		assertThat(repeated.allowance()).isEqualTo(75);
		assertThat(repeated.held()).isEqualTo("4 of 1000 mails were reported as spam: the day is repeated");
		assertThat(complained(49, 49).step()).as("too few to say anything").isEqualTo(3);
	}

	private Day complained(long attempts, long complaints) {
		return this.warmup.after(
				new Day("one", "gmail", TODAY.minusDays(1), 2, 75, attempts, 0, attempts, 0, 0, complaints, ""), TODAY);
	}

	private static Day day(int step, long allowance, long attempts, long blocked, long deferred) {
		return new Day("one", "gmail", TODAY.minusDays(3), step, allowance, attempts, 0, attempts, blocked, deferred, 0,
				"");
	}

}
