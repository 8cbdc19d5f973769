"""Names of scikit-learn that can be imported, although the models aren't here."""

from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.svm import SVC, SVR, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

for model in (GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor, SVC, SVR, LinearSVC, DecisionTreeClassifier,
              DecisionTreeRegressor):
    print(model.__name__)
