package encoding;

import java.util.List;
import static java.lang.Math.*;
